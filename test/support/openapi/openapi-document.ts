import Ajv, { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from './json-schemas';

export interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly 'x-api-key-scope'?: 'read' | 'write' | 'none';
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** Ids are UUIDs of version 7, and times have milliseconds and no zone but UTC. */
const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/** The committed OpenAPI document: its operations, and validators of its schemas, compiled when they are first used. */
export class OpenApiDocument {
  private readonly document: Document;
  private readonly ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false });
  /** The validators by schema as JSON: most answers refer to the same few. */
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: readonly (FoundOperation & { readonly pattern: RegExp })[];

  constructor(file = join(__dirname, '../../../openapi.json')) {
    this.document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    addFormats(this.ajv);
    for (const [name, format] of Object.entries(FORMATS))
      this.ajv.addFormat(name, (value: string) => format.test(value));
    for (const name of ['binary', 'password']) this.ajv.addFormat(name, true);
    const { schemas } = this.document.components;
    this.ajv.addSchema({ components: { schemas: mapValues(schemas ?? {}, toJsonSchema) } }, 'openapi');
    this.routes = Object.entries(this.document.paths)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          operation,
          pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        })),
      )
      // A path that names a part wins over one that takes it for a parameter.
      .sort((one, other) => parametersIn(one.path) - parametersIn(other.path));
  }

  get operations(): readonly FoundOperation[] {
    return this.routes;
  }

  /** The operation a request reaches. @param path of the request, without its query */
  find(method: string, path: string): FoundOperation | undefined {
    const reached = this.routes.find(({ pattern }) => pattern.test(path));
    return reached && this.routes.find((route) => route.path === reached.path && route.method === method);
  }

  /** Resolves a reference; returns anything else unchanged. */
  resolve<T extends object>(thing: T | { readonly $ref: string }): T {
    if (!('$ref' in thing)) return thing;
    const [, , kind, name] = thing.$ref.split('/');
    const found = this.document.components[kind!]?.[name!];
    if (!found) throw new Error(`${thing.$ref} leads nowhere`);
    return found as T;
  }

  /** Lists the violations of a schema by a value; empty when it is valid. */
  violations(schema: object, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let validate = this.validators.get(key);
    if (!validate) {
      validate = this.ajv.compile(withRoot(toJsonSchema(schema)) as object);
      this.validators.set(key, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

const parametersIn = (path: string): number => path.split('{').length;

function mapValues(record: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** References of a schema outside the components, as they are found from there. */
function withRoot(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRoot);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) =>
      name === '$ref' ? [name, `openapi${child as string}`] : [name, withRoot(child)],
    ),
  );
}
