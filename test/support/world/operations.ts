import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of JSON Schema (in OpenAPI 3.0's dialect) that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface DocumentedOperation {
  readonly operationId?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-api-key-scope'?: KeyScope;
}

/** One operation of the OpenAPI document. */
export interface Operation {
  /** `GET /api/jobs/{jobId}` */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** Names of the parameters in the path, in their order. */
  readonly pathParameters: readonly string[];
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly needsToken: boolean;
  /** The schema of a JSON body; undefined where there is none. */
  readonly body: Schema | undefined;
  /** The first example of a JSON body; undefined where there is none. */
  readonly bodyExample: unknown;
  readonly bodyTypes: readonly string[];
  /** Documented statuses. */
  readonly statuses: readonly number[];
  /** The lowest of them: of success. */
  readonly success: number;
  /** Media types of a success. */
  readonly answerTypes: readonly string[];
  /** Schema of the JSON of a success; undefined where it is none. */
  readonly answer: Schema | undefined;
  readonly answerExample: unknown;
  /** Schema of the data of the events of a stream; undefined where it is none. */
  readonly event: Schema | undefined;
  /** The scope that API keys need; `none` where they are refused, undefined where no token is needed. */
  readonly keyScope: KeyScope | undefined;
  /** Codes of the problems that it documents for a status. */
  readonly problems: (status: number) => readonly string[];
}

export type KeyScope = 'read' | 'write' | 'none';

interface OpenApiDocument {
  readonly security?: readonly unknown[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const document = JSON.parse(
  readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'),
) as OpenApiDocument;

/** A schema without references at its root. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref) {
    const found = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    if (!found) throw new Error(`${schema.$ref} leads nowhere`);
    return resolve(found);
  }
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  return Object.assign({}, ...allOf.map(resolve), own) as Schema;
}

function resolveResponse(response: Response | undefined): Response {
  if (!response?.$ref) return response ?? {};
  const found = document.components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`${response.$ref} leads nowhere`);
  return found;
}

/** The example of a body; of several, the first. */
const exampleOf = (media: Media | undefined): unknown =>
  media?.example ?? Object.values(media?.examples ?? {})[0]?.value;

function toOperation(path: string, method: string, operation: DocumentedOperation): Operation {
  const upper = method.toUpperCase();
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'];
  const statuses = Object.keys(operation.responses).map(Number);
  const success = Math.min(...statuses);
  const answerContent = resolveResponse(operation.responses[success]).content ?? {};
  const parametersIn = (place: Parameter['in']): Parameter[] =>
    (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  return {
    key: `${upper} ${path}`,
    method: upper,
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    query: parametersIn('query'),
    headers: parametersIn('header'),
    needsToken: (operation.security ?? document.security ?? []).length > 0,
    body: json?.schema,
    bodyExample: exampleOf(json),
    bodyTypes: Object.keys(content),
    statuses,
    success,
    answerTypes: Object.keys(answerContent),
    answer: answerContent['application/json']?.schema,
    answerExample: exampleOf(answerContent['application/json']),
    event: answerContent['text/event-stream']?.schema,
    keyScope: operation['x-api-key-scope'],
    problems: (status) =>
      Object.keys(
        resolveResponse(operation.responses[status]).content?.['application/problem+json']?.examples ?? {},
      ),
  };
}

/** Every operation of openapi.json, which a spec compares with the running service. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation)),
);

/** Whether the query of an operation can name an account. */
export const canNameAccount = ({ query }: Operation): boolean =>
  query.some(({ name }) => name === 'accountId');

/** Whether keys that are bound to accounts may call an operation that keys may call. */
export const isOpenToBoundKeys = (operation: Operation): boolean =>
  operation.pathParameters.includes('accountId') ||
  canNameAccount(operation) ||
  !operation.problems(403).includes('api-key-account');

/** One property of a JSON body. */
export interface Property {
  /** E.g. `action.labelId`; `[]` stands for the items of an array. */
  readonly path: string;
  readonly schema: Schema;
}

export function propertiesOf(schema: Schema, prefix = ''): Property[] {
  const resolved = resolve(schema);
  if (resolved.items) return propertiesOf(resolved.items, `${prefix}[]`);
  return Object.entries(resolved.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    return [{ path, schema: resolve(property) }, ...propertiesOf(property, path)];
  });
}
