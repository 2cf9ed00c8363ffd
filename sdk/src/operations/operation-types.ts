import type { OPERATIONS } from '../generated/operations.js';
import type { components, operations } from '../generated/schema.js';
import type { ServerEvent } from '../events/sse-parser.js';
import type { Download } from '../transfer/download.js';
import type { UploadFile } from '../transfer/upload.js';

/** Every named schema of the interface, as in `Schemas['JobResponse']`. */
export type Schemas = components['schemas'];

/** operationId of an operation that can be called, such as `archive.listMails`. */
export type OperationId = keyof typeof OPERATIONS & keyof operations;

type Table<Id extends OperationId> = (typeof OPERATIONS)[Id];

/** Parameters of a place; none for `never`, which the schema has for a place without parameters. */
type OrNothing<T> = [T] extends [never] ? unknown : T;

type ParametersIn<Id extends OperationId, Place extends 'path' | 'query' | 'header'> = OrNothing<
  NonNullable<operations[Id]['parameters'][Place]>
>;

type HeaderArguments<Id extends OperationId> =
  Table<Id> extends { headers: infer Names }
    ? {
        -readonly [Argument in keyof Names]?: Names[Argument] extends keyof ParametersIn<Id, 'header'>
          ? ParametersIn<Id, 'header'>[Names[Argument]]
          : never;
      }
    : unknown;

type ContentOf<Body> = Body extends { content: { 'application/json': infer Json } }
  ? Json
  : Body extends { content: { 'multipart/form-data': infer Form } }
    ? { [Field in keyof Form]: UploadFile }
    : Body extends { content: { 'application/octet-stream': unknown } }
      ? Blob | Uint8Array
      : never;

type BodyArgument<Id extends OperationId> = operations[Id] extends { requestBody: infer Body }
  ? { body: ContentOf<Body> }
  : operations[Id] extends { requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? unknown
      : { body?: ContentOf<NonNullable<Body>> }
    : unknown;

type Flat<T> = { [Key in keyof T]: T[Key] };

/**
 * Arguments of an operation: the parameters of its path, query and headers by name (`X-Archive-Passphrase` is
 * `archivePassphrase`, `Idempotency-Key` is `idempotencyKey`), and its body.
 */
export type Arguments<Id extends OperationId> = Flat<
  ParametersIn<Id, 'path'> & ParametersIn<Id, 'query'> & HeaderArguments<Id> & BodyArgument<Id>
>;

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201 | 202)];

type JsonOf<Id extends OperationId> =
  SuccessOf<operations[Id]['responses']> extends { content: { 'application/json': infer Json } }
    ? Json
    : never;

type EventOf<Id extends OperationId> =
  SuccessOf<operations[Id]['responses']> extends { content: { 'text/event-stream': infer Data } }
    ? Data
    : never;

/** Result of an operation: a record, nothing, the bytes of a file, or a stream of events. */
export type Answer<Id extends OperationId> = Table<Id>['answer'] extends 'json'
  ? JsonOf<Id>
  : Table<Id>['answer'] extends 'download'
    ? Download
    : Table<Id>['answer'] extends 'events'
      ? AsyncIterable<ServerEvent<EventOf<Id>>>
      : void;

/** The data of the events an operation streams. */
export type EventData<Id extends OperationId> = EventOf<Id>;

/** Options of a single call, in addition to its arguments. */
export interface CallOptions {
  /** Aborts the call, its retries and waits, and a download or stream that it began. */
  readonly signal?: AbortSignal;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parameters of a call; the arguments can be omitted where all of them are optional. */
type CallParameters<Id extends OperationId> =
  Record<never, never> extends Arguments<Id>
    ? [args?: Arguments<Id>, options?: CallOptions]
    : [args: Arguments<Id>, options?: CallOptions];

/** Operations that a browser can open by their address. */
export type LinkableId = {
  [Id in OperationId]: Table<Id>['method'] extends 'get' ? Id : never;
}[OperationId];

/** operationId of operations that return one page of a list. */
export type PagedId = {
  [Id in OperationId]: Table<Id> extends { paging: object } ? Id : never;
}[OperationId];

type ItemOf<Id extends OperationId> =
  Table<Id> extends { paging: { items: infer Items extends keyof JsonOf<Id> } }
    ? JsonOf<Id>[Items] extends readonly (infer Item)[]
      ? Item
      : never
    : JsonOf<Id> extends readonly (infer Item)[]
      ? Item
      : never;

/** One entry of a list that is returned in pages. */
export type Item<Id extends PagedId> = ItemOf<Id>;

interface PagedMethod<Id extends OperationId> {
  /** All pages from the given one; each is requested when it is wanted. */
  pages(...call: CallParameters<Id>): AsyncGenerator<JsonOf<Id>, void, undefined>;
  /**
   * All entries, page by page. Entries added to a list that shows the newest first shift its pages: an entry may then be seen
   * twice.
   */
  iterate(...call: CallParameters<Id>): AsyncGenerator<ItemOf<Id>, void, undefined>;
}

/**
 * An operation as a function.
 * @throws MailroomError for every response other than success
 */
export type Method<Id extends OperationId> = ((...call: CallParameters<Id>) => Promise<Answer<Id>>) &
  (Table<Id> extends { paging: object } ? PagedMethod<Id> : unknown);
