import createClient from 'openapi-fetch';
import type { Authentication } from '../auth/authentication.js';
import { MailroomError } from '../errors.js';
import { readEvents, type ReadOptions, type ServerEvent } from '../events/sse-parser.js';
import { OPERATIONS } from '../generated/operations.js';
import type { paths } from '../generated/schema.js';
import { type Repeatability, type RetryOptions, withRetries } from '../http/retries.js';
import { unlessAborted } from '../http/waiting.js';
import { Download } from '../transfer/download.js';
import { encodeForm, randomHex, type UploadFile } from '../transfer/upload.js';
import type { Answer, Arguments, CallOptions, OperationId } from './operation-types.js';

/** A row of the table of operations, with all optional fields. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly secured: boolean;
  readonly answer: 'json' | 'nothing' | 'download' | 'events';
  readonly multipart?: boolean;
  /** Whether the body is bytes. */
  readonly bytes?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request; the platform's `fetch` by default. */
export type Fetch = (request: Request) => Promise<Response>;

export interface CallerOptions {
  readonly baseUrl: string;
  readonly fetch?: Fetch;
  readonly retries?: RetryOptions;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Arguments of openapi-fetch; their types have been checked at the call. */
interface PreparedRequest {
  readonly params: { readonly path: Values; readonly query: Values };
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodySerializer?: (body: unknown) => unknown;
  readonly duplex?: 'half';
}

type Values = Readonly<Record<string, unknown>>;

interface Placed {
  readonly params: PreparedRequest['params'];
  readonly headers: Record<string, string>;
}

interface Sent {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type Send = (method: string, path: string, init: object) => Promise<Sent>;

const PASSPHRASE = 'X-Archive-Passphrase';
const IDEMPOTENCY_KEY = 'Idempotency-Key';

const ACCEPTED: Readonly<Record<Operation['answer'], string>> = {
  json: 'application/json',
  nothing: '*/*',
  download: '*/*',
  events: 'text/event-stream',
};

/**
 * Calls operations by their operationId: converts arguments to a request, responses to their type, and failures to
 * `MailroomError`.
 */
export class OperationCaller {
  private readonly request: Send;

  constructor(
    private readonly options: CallerOptions,
    private readonly authentication: Authentication,
  ) {
    const { baseUrl, fetch } = options;
    // `Method` has checked against the same schema that method, path and arguments go together.
    this.request = createClient<paths>({ baseUrl, ...(fetch ? { fetch } : {}) }).request as unknown as Send;
  }

  /** @throws MailroomError, the signal's reason, and what `fetch` throws when there is no answer */
  async call<Id extends OperationId>(
    id: Id,
    args: Arguments<Id> | undefined,
    options: CallOptions = {},
  ): Promise<Answer<Id>> {
    const sent = await this.perform(OPERATIONS[id], args ?? {}, options);
    return answerIn(OPERATIONS[id], sent) as Answer<Id>;
  }

  /** Events of one connection, with the state that the stream announces. */
  async events<Data>(
    id: OperationId,
    args: Values,
    options: CallOptions,
    reading: ReadOptions,
  ): Promise<AsyncIterable<ServerEvent<Data>>> {
    const { data } = await this.perform(OPERATIONS[id], args, options);
    return readEvents(data as ReadableStream<Uint8Array> | null, reading);
  }

  private async perform(operation: Operation, args: Values, options: CallOptions): Promise<Sent> {
    const prepared = prepare(operation, args);
    return withRetries(
      () => this.attempt(operation, prepared, options),
      repeatabilityOf(operation, prepared),
      this.options.retries,
      options.signal,
    );
  }

  /** Makes one try; when the token is refused it is renewed and the call made again. */
  private async attempt(
    operation: Operation,
    prepared: PreparedRequest,
    options: CallOptions,
  ): Promise<Sent> {
    const { signal } = options;
    const token = operation.secured ? await unlessAborted(this.authentication.token(), signal) : null;
    try {
      return await this.send(operation, prepared, token, options);
    } catch (error) {
      const expired = error instanceof MailroomError && error.status === 401 && error.code === 'unauthorized';
      if (!expired || !operation.secured || !isRepeatable(prepared)) throw error;
      if (!(await unlessAborted(this.authentication.renew(token), signal))) throw error;
      return this.send(operation, prepared, await this.authentication.token(), options);
    }
  }

  private async send(
    operation: Operation,
    prepared: PreparedRequest,
    token: string | null,
    { signal, headers }: CallOptions,
  ): Promise<Sent> {
    const sent = await this.request(operation.method, operation.path, {
      ...prepared,
      signal,
      headers: {
        accept: ACCEPTED[operation.answer],
        ...this.options.headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...prepared.headers,
        ...headers,
      },
      parseAs: operation.answer === 'download' || operation.answer === 'events' ? 'stream' : 'json',
    });
    if (sent.response.ok) return sent;
    throw new MailroomError(nameOf(operation), sent.response, sent.error);
  }
}

/** Arguments by their place in the request. @throws TypeError when a part of the path is missing, for callers without types */
function placeArguments(operation: Operation, args: Values): Placed {
  const path: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (name === 'body' || value === undefined) continue;
    const header = operation.headers?.[name];
    if (header !== undefined) headers[header] = headerValue(header, value as string | number);
    else if (operation.path.includes(`{${name}}`)) path[name] = value;
    else query[name] = value;
  }
  for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
    if (path[name!] === undefined) throw new TypeError(`${nameOf(operation)} needs ${name}`);
  }
  return { params: { path, query }, headers };
}

function prepare(operation: Operation, args: Values): PreparedRequest {
  const { params, headers } = placeArguments(operation, args);
  if (operation.multipart)
    return { params, ...withForm(headers, args['body'] as Record<string, UploadFile>) };
  if (operation.bytes) {
    const content = { ...headers, 'content-type': 'application/octet-stream' };
    return { params, headers: content, body: args['body'], bodySerializer: (bytes) => bytes };
  }
  // A request that starts a job gets an idempotency key, so that it can be repeated when its answer is lost.
  if (takesKey(operation)) headers[IDEMPOTENCY_KEY] ??= randomHex(16);
  return { params, headers, body: args['body'] };
}

/**
 * Address of an operation, for links, images and downloads that browsers open by themselves.
 * @throws TypeError for arguments that an address cannot hold
 */
export function addressOf(baseUrl: string, operation: Operation, args: Values): string {
  const { params, headers } = placeArguments(operation, args);
  const [header] = Object.keys(headers);
  if (header !== undefined) throw new TypeError(`${nameOf(operation)} needs a request for ${header}`);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params.path[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params.query)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return `${baseUrl.replace(/\/$/, '')}${path}${query.size === 0 ? '' : `?${query}`}`;
}

const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

/** Value of a header. Headers are limited to Latin-1: the service also takes passphrases percent-encoded (RFC 8187). */
const headerValue = (header: string, value: string | number): string =>
  header === PASSPHRASE ? `UTF-8''${encodeURIComponent(value)}` : String(value);

function withForm(
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, UploadFile>>,
): Pick<PreparedRequest, 'body' | 'headers' | 'bodySerializer' | 'duplex'> {
  const { body, contentType, repeatable } = encodeForm(fields);
  return {
    body,
    headers: contentType === null ? headers : { ...headers, 'content-type': contentType },
    bodySerializer: (encoded) => encoded,
    ...(repeatable ? {} : { duplex: 'half' }),
  };
}

const takesKey = ({ headers }: Operation): boolean => Object.values(headers ?? {}).includes(IDEMPOTENCY_KEY);

/** Whether a request can be sent again: a streamed body is gone once it is sent. */
const isRepeatable = (prepared: PreparedRequest): boolean => prepared.duplex === undefined;

function repeatabilityOf({ method }: Operation, prepared: PreparedRequest): Repeatability {
  if (!isRepeatable(prepared)) return 'once';
  if (method === 'get' || method === 'put' || IDEMPOTENCY_KEY in prepared.headers) return 'safe';
  return method === 'delete' ? 'idempotent' : 'once';
}

function answerIn({ answer }: Operation, { data, response }: Sent): unknown {
  const stream = data as ReadableStream<Uint8Array> | null;
  if (answer === 'download') return new Download(response, stream);
  if (answer === 'events') return readEvents(stream);
  return data;
}
