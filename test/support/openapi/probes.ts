import { v7 } from 'uuid';
import { Operation, resolve, Schema } from '../world/operations';

/** A value of one field, and whether the service has to take it. */
export interface Probe {
  readonly place: 'query' | 'headers' | 'body';
  readonly field: string;
  readonly value: unknown;
  readonly verdict: 'taken' | 'refused' | 'lowered';
  readonly what: string;
}

/** Items of a list that a service is still asked to take. */
const MANY = 1_000;

/** Page sizes: what is above the maximum is lowered to it. */
const LOWERED = ['limit', 'maxResults'];

type Value = Pick<Probe, 'value' | 'verdict' | 'what'>;

const taken = (what: string, value: unknown): Value => ({ what, value, verdict: 'taken' });
const refused = (what: string, value: unknown): Value => ({ what, value, verdict: 'refused' });

/** Texts of a length with a syntax of their own, by the name of the field. */
const SYNTAX: Readonly<Record<string, (length: number) => string>> = {
  email: (length) => `${'x'.repeat(length - 10)}@users.test`,
  url: (length) => 'http://127.0.0.1:1/'.padEnd(length, 'x'),
  host: (length) => 'x'.repeat(63).concat('.').repeat(4).slice(0, length),
};
const syntaxOf = (field: string): ((length: number) => string) =>
  SYNTAX[/url$|endpoint$/i.test(field) ? 'url' : field] ?? ((length) => 'x'.repeat(length));

/**
 * Values at both sides of every limit of an operation's fields, of every name of an enumeration, and one of the wrong kind.
 * @param sample the value of a field in a valid request
 */
export function probesOf(
  { query, headers, body }: Operation,
  sample: (place: Probe['place'], field: string) => unknown,
): Probe[] {
  const { properties = {}, required = [] } = body ? resolve(body) : {};
  const fields = [
    ...query.map((parameter) => ({ place: 'query' as const, ...parameter })),
    ...headers.map((parameter) => ({ place: 'headers' as const, ...parameter })),
    ...Object.entries(properties).map(([name, schema]) => ({
      place: 'body' as const,
      name,
      schema,
      required: required.includes(name),
    })),
  ];
  return fields.flatMap(({ place, name: field, schema, required: isRequired }) => {
    const inBody = place === 'body';
    const resolved = resolve(schema ?? {});
    const values = [
      ...valuesOf(field, resolved, inBody, sample(place, field)),
      ...(isRequired ? [refused('nothing', undefined)] : []),
      ...(isRequired && inBody && !resolved.nullable ? [refused('null', null)] : []),
    ];
    return values.map((value) => ({ place, field, ...value }));
  });
}

function valuesOf(field: string, schema: Schema, inBody: boolean, sample: unknown): Value[] {
  switch (schema.type) {
    case 'boolean':
      return inBody
        ? [taken('false', false), refused('a text', 'true')]
        : [taken('true', 'true'), refused('a word', 'perhaps')];
    case 'integer':
      return ofInteger(field, schema, inBody);
    case 'string':
      return [...ofText(field, schema), ...(inBody ? [refused('a number', 5)] : [])];
    case 'array':
      return ofList(schema, sample);
    case 'object':
      return [refused('a text', 'text'), refused('a list', [])];
    default:
      return [];
  }
}

function ofInteger(field: string, { minimum: min, maximum: max }: Schema, inBody: boolean): Value[] {
  const wire = (value: number): unknown => (inBody ? value : String(value));
  const isLowered = !inBody && LOWERED.includes(field);
  return [
    refused('a word', 'many'),
    refused('a fraction', wire(1.5)),
    ...(min === undefined ? [] : [taken('the least', wire(min)), refused('less', wire(min - 1))]),
    ...(max === undefined ? [] : [taken('the most', wire(max))]),
    ...(max === undefined
      ? []
      : isLowered
        ? [{ what: 'more', value: wire(max + 1), verdict: 'lowered' as const }]
        : [refused('more', wire(max + 1))]),
  ];
}

function ofText(field: string, schema: Schema): Value[] {
  const { minLength: min, maxLength: max, pattern } = schema;
  if (schema.enum)
    return [
      ...schema.enum.filter((value) => value !== null).map((value) => taken(JSON.stringify(value), value)),
      refused('another', 'another'),
    ];
  if (schema.format === 'uuid') return [taken('an id', v7()), refused('no id', 'not-a-uuid')];
  const long = syntaxOf(field);
  const fits = (text: string): boolean => pattern === undefined || new RegExp(pattern, 'u').test(text);
  return [
    ...(min === undefined ? [] : [refused('too short a text', 'x'.repeat(min - 1))]),
    ...(min === undefined || min < 2 ? [] : [taken('the shortest', 'x'.repeat(min))]),
    ...(max === undefined
      ? []
      : [taken('the longest', long(max)), refused('too long a text', long(max + 1))]),
  ].filter(({ verdict, value }) => verdict === 'refused' || fits(value as string));
}

function ofList({ minItems: min, maxItems: max, items }: Schema, sample: unknown): Value[] {
  const isUuids = resolve(items ?? {}).format === 'uuid';
  const item: unknown = (sample as unknown[] | undefined)?.[0] ?? 'ffffffffffffffff';
  // Ids of messages differ: those named twice would count once.
  const other = (index: number): unknown =>
    isUuids ? v7() : /^[0-9a-f]{16}$/.test(String(item)) ? String(1e15 + index) : item;
  const many = (length: number): unknown[] => Array.from({ length }, (_, index) => other(index));
  return [
    refused('a text', 'text'),
    refused('an item of another kind', [5]),
    ...(min === undefined ? [] : [refused('no item', [])]),
    ...(max === undefined ? [] : [refused('one more', many(max + 1))]),
    // Jobs of so many are a matter of the DTO's own spec.
    ...(max === undefined || max > MANY ? [] : [taken('the most', many(max))]),
  ];
}
