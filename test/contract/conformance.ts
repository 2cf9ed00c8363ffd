import type { Shape } from './notation';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What a text of that format looks like in an answer. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: UUID_7,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  month: /^\d{4}-\d\d$/,
  numeric: /^\d+$/,
  'job-id': /^[a-z_]+-\d+$/,
};

/** Which lists of an answer had an item, so that nothing is taken for right because it was empty. */
export type Seen = Set<string>;

/**
 * How a value differs from its shape: fields that are missing or too many, types, nulls, formats, limits.
 * @param at where the value stands; begins each sentence
 */
export function deviations(shape: Shape, value: unknown, at: string, seen: Seen): string[] {
  if (value === null) return shape.nullable ? [] : [`${at}: is null`];
  switch (shape.kind) {
    case 'flag':
      return typeof value === 'boolean' ? [] : [`${at}: ${JSON.stringify(value)} is no boolean`];
    case 'integer':
    case 'number':
      return ofNumber(shape, value, at);
    case 'text':
      return ofText(shape, value, at);
    case 'scalar':
      return ['string', 'number', 'boolean'].includes(typeof value) ? [] : [`${at}: is no scalar`];
    case 'open':
      return isRecord(value) ? [] : [`${at}: is no object`];
    case 'list':
      if (!Array.isArray(value)) return [`${at}: is no list`];
      if (value.length > 0) seen.add(at);
      return [...new Set(value.flatMap((item) => deviations(shape.of, item, `${at}[]`, seen)))];
    case 'record':
      return ofRecord(shape, value, at, seen);
  }
}

/** The lists of a shape, as `deviations` names them. */
export function listsOf(shape: Shape, at: string): string[] {
  if (shape.kind === 'list') return [at, ...listsOf(shape.of, `${at}[]`)];
  if (shape.kind !== 'record') return [];
  return Object.entries(shape.fields).flatMap(([name, field]) => listsOf(field, `${at} ${name}`));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ofNumber(
  shape: Extract<Shape, { kind: 'integer' | 'number' }>,
  value: unknown,
  at: string,
): string[] {
  const { min = -Infinity, max = Infinity } = shape.limits;
  const right = shape.kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!right) return [`${at}: ${JSON.stringify(value)} is no ${shape.kind}`];
  return (value as number) < min || (value as number) > max
    ? [`${at}: ${String(value)} is out of range`]
    : [];
}

function ofText(shape: Extract<Shape, { kind: 'text' }>, value: unknown, at: string): string[] {
  if (typeof value !== 'string') return [`${at}: ${JSON.stringify(value)} is no text`];
  if (shape.oneOf && !shape.oneOf.includes(value))
    return [`${at}: ${value} is none of ${shape.oneOf.join()}`];
  const format = shape.format === undefined ? undefined : FORMATS[shape.format];
  return format && !format.test(value) ? [`${at}: ${value} is no ${shape.format}`] : [];
}

function ofRecord(
  shape: Extract<Shape, { kind: 'record' }>,
  value: unknown,
  at: string,
  seen: Seen,
): string[] {
  if (!isRecord(value)) return [`${at}: is no object`];
  const known = { ...shape.fields, ...shape.additive };
  const unknown = Object.keys(value).filter((name) => !(name in known));
  return [
    ...unknown.map((name) => `${at} ${name}: is not in the contract`),
    ...Object.entries(known).flatMap(([name, field]) => {
      if (value[name] === undefined) return field.absent ? [] : [`${at} ${name}: is missing`];
      return deviations(field, value[name], `${at} ${name}`, seen);
    }),
  ];
}
