import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Asked, Limits, refusalsOf, Returns, Route, Shape } from './notation';

/** A part of an OpenAPI document, of whatever kind. */
type Json = Record<string, any>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** A part of a file, and a file that has not changed, are asked for with headers. */
const ON_CONDITION = ['206', '304'];

/** In JSON an event stream is text, and bytes are text in a format of their own. */
const RETURNED_AS_TEXT: readonly Returns[] = ['text', 'bytes'];

/** `openapi.json`, and how it differs from the tables. Differences are sentences that begin with the place. */
export class ContractDocument {
  private constructor(private readonly document: Json) {}

  static read(path = join(__dirname, '../../openapi.json')): ContractDocument {
    return new ContractDocument(JSON.parse(readFileSync(path, 'utf8')) as Json);
  }

  /** All operations, written as the tables write them. */
  routes(): string[] {
    return Object.entries<Json>(this.document['paths']).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
  }

  /** What the operation says otherwise than its table. */
  differences(name: string, route: Route): string[] {
    const operation = this.operation(name);
    if (!operation) return [`${name}: is missing`];
    return [
      ...this.ofParameters(name, 'path', operation, this.pathFields(name)),
      ...this.ofParameters(name, 'query', operation, route.query ?? {}),
      ...this.ofParameters(name, 'header', operation, route.headers ?? {}),
      ...this.ofBody(name, operation, route),
      ...this.ofAnswer(name, operation, route),
      ...this.ofRefusals(name, operation, route),
    ];
  }

  private operation(name: string): Json | undefined {
    const [method = '', path = ''] = name.split(' ');
    return this.document['paths'][path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  }

  private pathFields(name: string): Record<string, Asked> {
    const names = [...name.matchAll(/:(\w+)/g)].map((match) => match[1]!);
    const shape: Shape = { kind: 'text', limits: {} };
    return Object.fromEntries(names.map((parameter) => [parameter, { shape, required: true }]));
  }

  private ofParameters(
    name: string,
    place: string,
    operation: Json,
    asked: Readonly<Record<string, Asked>>,
  ): string[] {
    const given: Json[] = (operation['parameters'] ?? []).filter((one: Json) => one['in'] === place);
    const schemas = Object.fromEntries(given.map((one) => [one['name'], one['schema']]));
    const required = given.filter((one) => one['required'] === true).map((one) => one['name'] as string);
    return this.ofFields(`${name} ${place}`, schemas, required, asked);
  }

  private ofBody(name: string, operation: Json, { body, bodyType = 'application/json' }: Route): string[] {
    const content: Json | undefined = operation['requestBody']?.content;
    if (!body) return content ? [`${name} body: takes one`] : [];
    const schema = this.resolved(content?.[bodyType]?.schema);
    if (!schema) return [`${name} body: no ${bodyType}`];
    return this.ofFields(`${name} body`, schema['properties'] ?? {}, schema['required'] ?? [], body);
  }

  private ofFields(
    where: string,
    schemas: Json,
    required: readonly string[],
    asked: Readonly<Record<string, Asked>>,
  ): string[] {
    const unknown = Object.keys(schemas).filter((field) => !(field in asked));
    return [
      ...unknown.map((field) => `${where} ${field}: is not in the contract`),
      ...Object.entries(asked).flatMap(([field, one]) => {
        const at = `${where} ${field}`;
        const schema = this.resolved(schemas[field]);
        if (!schema) return [`${at}: is missing`];
        const differences = this.ofSchema(at, one.shape, schema, 'asked');
        if (required.includes(field) !== one.required)
          differences.push(`${at}: ${one.required ? 'must' : 'must not'} be required`);
        if (schema['default'] !== one.default)
          differences.push(`${at}: default ${String(schema['default'])}, not ${String(one.default)}`);
        return differences;
      }),
    ];
  }

  private ofAnswer(name: string, operation: Json, { answers, returns, type, event }: Route): string[] {
    const at = `${name} ${answers}`;
    const successes = Object.keys(operation['responses']).filter((status) => Number(status) < 400);
    const unknown = successes.filter((status) => ![String(answers), ...ON_CONDITION].includes(status));
    const differences = unknown.map((status) => `${name} ${status}: is not in the contract`);
    const response = this.responseOf(operation, answers);
    if (!response) return [...differences, `${at}: is missing`];
    const content: Json = response['content'] ?? {};
    if (returns === 'nothing')
      return Object.keys(content).length > 0 ? [...differences, `${at}: has a body`] : differences;
    const media = type ?? 'application/json';
    const schema = this.resolved(content[media]?.schema);
    if (!schema) return [...differences, `${at}: no schema of ${media}`];
    if (Object.keys(content).length > 1) differences.push(`${at}: more than ${media}`);
    const shape = returns === 'events' ? event! : returns;
    if (typeof shape === 'string')
      return RETURNED_AS_TEXT.includes(shape) && schema['type'] !== 'string'
        ? [...differences, `${at}: is not text`]
        : differences;
    return [...differences, ...this.ofSchema(at, shape, schema, 'answered')];
  }

  private responseOf(operation: Json, status: number): Json | undefined {
    const response: Json | undefined = operation['responses'][status];
    const reference: unknown = response?.['$ref'];
    if (typeof reference !== 'string') return response;
    return this.document['components'].responses[reference.split('/').pop()!] as Json;
  }

  private ofRefusals(name: string, operation: Json, route: Route): string[] {
    const { must, may } = refusalsOf(name, route);
    const statuses = Object.keys(operation['responses'])
      .map(Number)
      .filter((status) => status >= 400);
    const unknown = statuses.filter((status) => !must.has(status) && !may.has(status));
    const missing = [...must].filter((status) => !statuses.includes(status));
    const noProblem = statuses.filter(
      (status) => !this.responseOf(operation, status)?.['content']?.['application/problem+json'],
    );
    return [
      ...unknown.map((status) => `${name} ${status}: is not in the contract`),
      ...missing.map((status) => `${name} ${status}: is missing`),
      ...noProblem.map((status) => `${name} ${status}: is no problem document`),
    ];
  }

  private ofSchema(at: string, shape: Shape, schema: Json, side: 'asked' | 'answered'): string[] {
    const differences: string[] = [];
    if (isNullable(schema) !== (shape.nullable ?? false))
      differences.push(`${at}: ${shape.nullable ? 'must' : 'must not'} be nullable`);
    const type = typeOf(schema);
    // An answer may be narrower than the contract says, a request may not.
    const narrower = side === 'answered' && shape.kind === 'number' && type === 'integer';
    if (type !== TYPES[shape.kind] && !narrower)
      return [...differences, `${at}: is ${type}, not ${TYPES[shape.kind]}`];
    if (shape.kind === 'record') return [...differences, ...this.ofRecord(at, shape, schema, side)];
    if (shape.kind === 'list') {
      const items = this.resolved(schema['items'])!;
      differences.push(...this.ofSchema(`${at}[]`, shape.of, items, side));
    }
    if (shape.kind === 'text') {
      const values = [...(schema['enum'] ?? [])].filter((value) => value !== null).sort();
      const expected = [...(shape.oneOf ?? [])].sort();
      if (values.join() !== expected.join())
        differences.push(`${at}: one of [${values.join()}], not [${expected.join()}]`);
      if (DOCUMENTED_FORMATS.includes(shape.format ?? '') && schema['format'] !== shape.format)
        differences.push(`${at}: format ${String(schema['format'])}, not ${String(shape.format)}`);
    }
    return [...differences, ...ofLimits(at, shape, schema, side)];
  }

  private ofRecord(
    at: string,
    shape: Extract<Shape, { kind: 'record' }>,
    schema: Json,
    side: 'asked' | 'answered',
  ): string[] {
    const known = { ...shape.fields, ...shape.additive };
    const properties: Json = schema['properties'] ?? {};
    const required: string[] = schema['required'] ?? [];
    const unknown = Object.keys(properties).filter((field) => !(field in known));
    return [
      ...unknown.map((field) => `${at} ${field}: is not in the contract`),
      ...Object.entries(known).flatMap(([field, one]) => {
        const found = this.resolved(properties[field]);
        if (!found) return [`${at} ${field}: is missing`];
        const differences = this.ofSchema(`${at} ${field}`, one, found, side);
        if (required.includes(field) === (one.absent ?? false))
          differences.push(`${at} ${field}: ${one.absent ? 'may' : 'must not'} be absent`);
        return differences;
      }),
    ];
  }

  /** Follows references, also those that are wrapped to add a description. */
  private resolved(schema: Json | undefined): Json | undefined {
    if (!schema) return undefined;
    if (typeof schema['$ref'] === 'string') {
      const name = schema['$ref'].split('/').pop()!;
      return this.resolved(this.document['components'].schemas[name] as Json);
    }
    if (schema['allOf']?.length !== 1) return schema;
    const { allOf, ...rest } = schema;
    return { ...this.resolved((allOf as Json[])[0]), ...rest };
  }
}

/** Formats are hints in a document; these are promises. */
const DOCUMENTED_FORMATS = ['uuid', 'date-time', 'date', 'email', 'uri'];

const TYPES: Record<Shape['kind'], string> = {
  text: 'string',
  integer: 'integer',
  number: 'number',
  flag: 'boolean',
  list: 'array',
  record: 'object',
  open: 'object',
  scalar: 'scalar',
};

function typeOf(schema: Json): string {
  if (schema['oneOf'] ?? schema['anyOf']) return 'scalar';
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  return types.join(' | ');
}

function isNullable(schema: Json): boolean {
  return schema['nullable'] === true || [schema['type']].flat().includes('null');
}

const LIMIT_NAMES: Partial<Record<Shape['kind'], readonly [string, string]>> = {
  text: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  list: ['minItems', 'maxItems'],
};

function ofLimits(at: string, shape: Shape, schema: Json, side: 'asked' | 'answered'): string[] {
  const names = LIMIT_NAMES[shape.kind];
  if (!names || !('limits' in shape)) return [];
  const limits: Limits = shape.limits;
  const expected = [limits.min ?? limits.ourMin, limits.max ?? limits.ourMax];
  return names.flatMap((name, side2) => {
    const found: unknown = schema[name];
    const wanted = expected[side2];
    // An answer may be narrower than the contract says, a request may not.
    if (found === wanted || (side === 'answered' && wanted === undefined)) return [];
    return [`${at}: ${name} ${String(found)}, not ${String(wanted)}`];
  });
}
