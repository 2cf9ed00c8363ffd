import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As much of a JSON schema (in OpenAPI 3.0's dialect) as the document uses. */
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
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface DocumentedOperation {
  readonly operationId?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-api-key-scope'?: string;
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
  readonly needsToken: boolean;
  /** Of a JSON body; undefined where there is none. */
  readonly body: Schema | undefined;
  readonly bodyTypes: readonly string[];
  /** Documented statuses. */
  readonly statuses: readonly number[];
  /** What the document says API keys need; `none` where they are no good, undefined where nobody needs a token. */
  readonly keyScope: string | undefined;
}

interface OpenApiDocument {
  readonly security?: readonly unknown[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
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

function toOperation(path: string, method: string, operation: DocumentedOperation): Operation {
  const upper = method.toUpperCase();
  const content = operation.requestBody?.content ?? {};
  return {
    key: `${upper} ${path}`,
    method: upper,
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
    needsToken: (operation.security ?? document.security ?? []).length > 0,
    body: content['application/json']?.schema,
    bodyTypes: Object.keys(content),
    statuses: Object.keys(operation.responses).map(Number),
    keyScope: operation['x-api-key-scope'],
  };
}

/** Every operation of openapi.json, which a spec compares with the running service. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation)),
);

/** Every property of a JSON body with its path, e.g. `action.labelId`; `[]` stands for the items of an array. */
export function propertiesOf(schema: Schema, prefix = ''): string[] {
  const resolved = resolve(schema);
  if (resolved.items) return propertiesOf(resolved.items, `${prefix}[]`);
  return Object.entries(resolved.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    return [path, ...propertiesOf(property, path)];
  });
}
