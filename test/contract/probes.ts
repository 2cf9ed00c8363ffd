import { v7 } from 'uuid';
import type { Asked, Route, Shape } from './notation';

/** One value of one field, and whether the service has to take it. */
export interface Probe {
  readonly place: 'query' | 'headers' | 'body';
  readonly field: string;
  readonly value: unknown;
  readonly verdict: 'taken' | 'refused' | 'lowered';
  readonly what: string;
}

/** Items of a list that a service is still asked to take. */
const MANY = 1_000;

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
 * Values at both sides of every limit of a route's fields, of every name of an enumeration, and one of the wrong kind.
 * @param sample what a valid request has in a field
 */
export function probesOf(route: Route, sample: (place: Probe['place'], field: string) => unknown): Probe[] {
  const places = ['query', 'headers', ...(route.bodyType ? [] : ['body'])] as Probe['place'][];
  return places.flatMap((place) =>
    Object.entries<Asked>(route[place] ?? {}).flatMap(([field, asked]) => {
      const inBody = place === 'body';
      const values = [
        ...valuesOf(field, asked.shape, inBody, sample(place, field)),
        ...(asked.required ? [refused('nothing', undefined)] : []),
        ...(asked.required && inBody ? [refused('null', null)] : []),
      ];
      return values.map((value) => ({ place, field, ...value }));
    }),
  );
}

function valuesOf(field: string, shape: Shape, inBody: boolean, sample: unknown): Value[] {
  switch (shape.kind) {
    case 'flag':
      return inBody
        ? [taken('false', false), refused('a text', 'true')]
        : [taken('true', 'true'), refused('a word', 'perhaps')];
    case 'integer':
      return ofInteger(shape, inBody);
    case 'text':
      return [...ofText(field, shape), ...(inBody ? [refused('a number', 5)] : [])];
    case 'list':
      return ofList(shape, sample);
    case 'record':
      return [refused('a text', 'text'), refused('a list', [])];
    default:
      return [];
  }
}

function ofInteger(shape: Extract<Shape, { kind: 'integer' | 'number' }>, inBody: boolean): Value[] {
  const { limits, lowered } = shape;
  const min = limits.min ?? limits.ourMin;
  const max = limits.max ?? limits.ourMax;
  const wire = (value: number): unknown => (inBody ? value : String(value));
  return [
    refused('a word', 'many'),
    refused('a fraction', wire(1.5)),
    ...(min === undefined ? [] : [taken('the least', wire(min)), refused('less', wire(min - 1))]),
    ...(max === undefined ? [] : [taken('the most', wire(max))]),
    ...(max === undefined
      ? []
      : lowered
        ? [{ what: 'more', value: wire(max + 1), verdict: 'lowered' as const }]
        : [refused('more', wire(max + 1))]),
  ];
}

function ofText(field: string, shape: Extract<Shape, { kind: 'text' }>): Value[] {
  if (shape.oneOf) return [...shape.oneOf.map((value) => taken(value, value)), refused('another', 'another')];
  if (shape.format === 'uuid') return [taken('an id', v7()), refused('no id', 'not-a-uuid')];
  const { limits } = shape;
  const min = limits.min ?? limits.ourMin;
  const max = limits.max ?? limits.ourMax;
  const long = syntaxOf(field);
  return [
    ...(min === undefined ? [] : [refused('too short a text', 'x'.repeat(min - 1))]),
    ...(min === undefined || min < 2 ? [] : [taken('the shortest', 'x'.repeat(min))]),
    ...(max === undefined
      ? []
      : [taken('the longest', long(max)), refused('too long a text', long(max + 1))]),
  ];
}

function ofList(shape: Extract<Shape, { kind: 'list' }>, sample: unknown): Value[] {
  const { limits } = shape;
  const min = limits.min ?? limits.ourMin;
  const max = limits.max ?? limits.ourMax;
  const isUuids = shape.of.kind === 'text' && shape.of.format === 'uuid';
  const item: unknown = (sample as unknown[] | undefined)?.[0] ?? 'ffffffffffffffff';
  const many = (length: number): unknown[] => Array.from({ length }, () => (isUuids ? v7() : item));
  return [
    refused('a text', 'text'),
    refused('an item of another kind', [5]),
    ...(min === undefined ? [] : [refused('no item', [])]),
    ...(max === undefined ? [] : [refused('one more', many(max + 1))]),
    // Jobs of so many are a matter of the DTO's own spec.
    ...(max === undefined || max > MANY ? [] : [taken('the most', many(max))]),
  ];
}
