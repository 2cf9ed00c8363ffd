/** The parts of an OpenAPI 3.0 document that clients are generated from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> } & Readonly<
    Record<string, unknown>
  >;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly default?: unknown;
  readonly [limit: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Body {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-api-key-scope'?: keyof typeof KEY_SCOPES;
}

/** The scopes that API keys need, the widest operation first. */
const KEY_SCOPES = { read: 0, write: 1, none: 2 } as const;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** Limits of which a lower value refuses requests that were allowed. */
const UPPER_LIMITS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER_LIMITS = ['minimum', 'minLength', 'minItems', 'minProperties'];
const ALTERNATIVES = ['oneOf', 'anyOf'] as const;

/** Whether clients send values of a schema or receive them: what widens one direction narrows the other. */
type Direction = 'request' | 'response';

/**
 * Changes that break a client made for one release: operations and fields that are gone, fields it would have to send, values
 * it may no longer send, and responses that no longer hold what they always held. New operations, optional fields, new fields
 * of responses, new values of enums in responses and new error responses break nothing: clients ignore what they do not know
 * (docs/versions.md).
 *
 * @returns one line for each, with the place in the document; empty: nothing breaks
 */
export function breakingChanges(released: ApiDocument, next: ApiDocument): string[] {
  return new Comparison(released, next).run();
}

class Comparison {
  private readonly found = new Set<string>();
  /** Pairs of named schemas that are being compared or have been, by direction; schemas may contain themselves. */
  private readonly compared = new Set<string>();

  constructor(
    private readonly released: ApiDocument,
    private readonly next: ApiDocument,
  ) {}

  run(): string[] {
    for (const [path, methods] of Object.entries(this.released.paths)) {
      for (const method of METHODS) {
        if (!methods[method]) continue;
        const place = `${method.toUpperCase()} ${path}`;
        const now = this.next.paths[path]?.[method] as Operation | undefined;
        if (!now) this.report(place, 'is gone');
        else this.operation(place, methods[method] as Operation, now);
      }
    }
    return [...this.found];
  }

  private report(place: string, what: string): void {
    this.found.add(`${place}: ${what}`);
  }

  private operation(place: string, before: Operation, now: Operation): void {
    // The SDKs name their methods by it.
    if (before.operationId !== now.operationId)
      this.report(place, `operationId ${before.operationId ?? '–'} became ${now.operationId ?? '–'}`);
    this.keyScope(place, before['x-api-key-scope'], now['x-api-key-scope']);
    this.parameters(place, before.parameters ?? [], now.parameters ?? []);
    this.requestBody(place, before.requestBody, now.requestBody);
    for (const [status, answer] of Object.entries(before.responses)) {
      if (!status.startsWith('2') && !status.startsWith('3')) continue;
      const other = now.responses[status];
      if (!other) this.report(place, `no longer answers ${status}`);
      else this.content(`${place} ${status}`, 'response', this.answer(this.released, answer), this.answer(this.next, other)); // prettier-ignore
    }
  }

  private keyScope(place: string, before: keyof typeof KEY_SCOPES | undefined, now = before): void {
    if (before && now && KEY_SCOPES[now] > KEY_SCOPES[before])
      this.report(place, `API keys of scope ${before} are refused`);
  }

  private parameters(place: string, before: readonly Parameter[], now: readonly Parameter[]): void {
    const keyOf = (parameter: Parameter): string => `${parameter.in} parameter ${parameter.name}`;
    const nowByKey = new Map(now.map((parameter) => [keyOf(parameter), parameter]));
    const beforeByKey = new Map(before.map((parameter) => [keyOf(parameter), parameter]));
    for (const [key, parameter] of beforeByKey) {
      const other = nowByKey.get(key);
      if (!other) this.report(place, `${key} is gone`);
      else if (parameter.schema && other.schema)
        this.schema(`${place} ${key}`, 'request', parameter.schema, other.schema);
    }
    for (const [key, parameter] of nowByKey) {
      if (parameter.required && !beforeByKey.get(key)?.required) this.report(place, `${key} became required`);
    }
  }

  private requestBody(place: string, before: Body | undefined, now: Body | undefined): void {
    if (before && !now) this.report(place, 'takes no body any more');
    if (now?.required && !before?.required) this.report(place, 'a body became required');
    if (before && now) this.content(`${place} body`, 'request', before, now);
  }

  private content(place: string, direction: Direction, before: Body, now: Body): void {
    for (const [type, { schema }] of Object.entries(before.content ?? {})) {
      const other = now.content?.[type];
      if (!other) this.report(place, `${type} is gone`);
      else if (schema && other.schema) this.schema(place, direction, schema, other.schema);
    }
  }

  private answer(document: ApiDocument, answer: Body): Body {
    return answer.$ref === undefined ? answer : (find(document, answer.$ref) as Body);
  }

  private schema(place: string, direction: Direction, before: Schema, now: Schema): void {
    if (before.$ref !== undefined || now.$ref !== undefined) {
      const pair = `${direction} ${before.$ref ?? place} ${now.$ref ?? place}`;
      if (this.compared.has(pair)) return;
      this.compared.add(pair);
    }
    const name = now.$ref === undefined ? place : `${now.$ref.split('/').at(-1)!} (${direction})`;
    this.compareResolved(name, direction, flatten(this.released, before), flatten(this.next, now));
  }

  private compareResolved(place: string, direction: Direction, before: Schema, now: Schema): void {
    const isRequest = direction === 'request';
    if (before.type !== now.type) this.report(place, `type ${before.type ?? '–'} became ${now.type ?? '–'}`);
    if (before.format !== now.format)
      this.report(place, `format ${before.format ?? '–'} became ${now.format ?? '–'}`);
    const [old, value] = [before.default, now.default].map((one) => JSON.stringify(one));
    if (isRequest && old !== undefined && old !== value)
      this.report(place, `the default ${old} became ${value ?? '–'}`);
    if (isRequest && before.nullable && !now.nullable) this.report(place, 'null is refused');
    if (!isRequest && now.nullable && !before.nullable) this.report(place, 'may be null');
    this.values(place, isRequest, before, now);
    if (isRequest) this.limits(place, before, now);
    this.properties(place, direction, before, now);
    if (before.items && now.items) this.schema(`${place}[]`, direction, before.items, now.items);
    if (typeof before.additionalProperties === 'object' && typeof now.additionalProperties === 'object')
      this.schema(`${place}{}`, direction, before.additionalProperties, now.additionalProperties);
    this.alternatives(place, direction, before, now);
  }

  private values(place: string, isRequest: boolean, before: Schema, now: Schema): void {
    if (!isRequest) return;
    if (now.enum && !before.enum) this.report(place, 'takes certain values only');
    for (const value of before.enum ?? []) {
      if (now.enum && !now.enum.includes(value)) this.report(place, `the value ${String(value)} is gone`);
    }
  }

  private limits(place: string, before: Schema, now: Schema): void {
    for (const [limits, isUpper] of [
      [UPPER_LIMITS, true],
      [LOWER_LIMITS, false],
    ] as const) {
      // prettier-ignore
      for (const limit of limits) {
        const [old, value] = [before[limit], now[limit]];
        if (typeof value !== 'number') continue;
        const loose = isUpper ? Infinity : -Infinity;
        const bound = typeof old === 'number' ? old : loose;
        if (isUpper ? value < bound : value > bound) this.report(place, `${limit} is ${value}`);
      }
    }
    if (now.pattern !== undefined && now.pattern !== before.pattern)
      this.report(place, `must match ${now.pattern}`);
  }

  private properties(place: string, direction: Direction, before: Schema, now: Schema): void {
    for (const [name, property] of Object.entries(before.properties ?? {})) {
      const other = now.properties?.[name];
      if (!other) this.report(place, `the field ${name} is gone`);
      else this.schema(`${place}.${name}`, direction, property, other);
    }
    const [wasRequired, isRequired] = [new Set(before.required), new Set(now.required)];
    if (direction === 'request') {
      for (const name of isRequired)
        if (!wasRequired.has(name)) this.report(place, `the field ${name} became required`);
    } else {
      for (const name of wasRequired)
        if (now.properties?.[name] && !isRequired.has(name))
          this.report(place, `the field ${name} may be missing`);
    }
  }

  private alternatives(place: string, direction: Direction, before: Schema, now: Schema): void {
    for (const kind of ALTERNATIVES) {
      const [old, fresh] = [before[kind], now[kind]];
      if (!old || !fresh) {
        if (old || fresh) this.report(place, `${kind} ${old ? 'is gone' : 'is new'}`);
        continue;
      }
      // Forms are compared by position: they have no names.
      if (direction === 'request' && fresh.length < old.length) this.report(place, `${kind} has fewer forms`);
      old.forEach((schema, at) => fresh[at] && this.schema(`${place}|${at}`, direction, schema, fresh[at]));
    }
  }
}

/** The target of a local reference (RFC 6901), e.g. `#/components/schemas/Job`. @throws Error when there is none */
function find(document: ApiDocument, ref: string): unknown {
  let found: unknown = document;
  for (const key of ref.replace(/^#\//, '').split('/'))
    found = (found as Readonly<Record<string, unknown>> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]; // prettier-ignore
  if (found === undefined) throw new Error(`The document has no ${ref}`);
  return found;
}

/** The schema with its reference followed and the parts of `allOf` joined. */
function flatten(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref !== undefined) return flatten(document, find(document, schema.$ref) as Schema);
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  return [...allOf.map((part) => flatten(document, part)), own].reduce((joined, part) => ({
    ...joined,
    ...part,
    properties: { ...joined.properties, ...part.properties },
    required: [...(joined.required ?? []), ...(part.required ?? [])],
  }));
}
