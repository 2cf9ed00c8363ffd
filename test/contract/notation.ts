/*
 * How the tables beside this file write the contract down. A table says what the contract and its decisions say;
 * what the service adds to them stands apart (`additive`, `ourMax`, `ours`), so that nothing is added by accident.
 */

/** Bounds of a number, of the length of a text, or of the number of items. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** Where the contract says nothing and the service has to draw a line. */
  readonly ourMin?: number;
  readonly ourMax?: number;
}

interface Common {
  readonly nullable?: true;
  /** A field of an answer that may be missing. */
  readonly absent?: true;
}

export type TextFormat = 'uuid' | 'date-time' | 'date' | 'month' | 'numeric' | 'job-id' | 'email' | 'uri';

export interface TextShape extends Common {
  readonly kind: 'text';
  readonly limits: Limits;
  readonly format?: TextFormat;
  readonly oneOf?: readonly string[];
}

export interface NumberShape extends Common {
  readonly kind: 'integer' | 'number';
  readonly limits: Limits;
  /** A value above the maximum is lowered to it, and not refused. */
  readonly lowered?: true;
}

export interface FlagShape extends Common {
  readonly kind: 'flag';
}

export interface ListShape extends Common {
  readonly kind: 'list';
  readonly of: Shape;
  readonly limits: Limits;
}

export interface RecordShape extends Common {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Shape>>;
  /** What the service adds to the contract's fields. */
  readonly additive: Readonly<Record<string, Shape>>;
}

/** An object whose fields are somebody else's. */
export interface OpenShape extends Common {
  readonly kind: 'open';
}

/** Text, a number or true. */
export interface ScalarShape extends Common {
  readonly kind: 'scalar';
}

export type Shape = TextShape | NumberShape | FlagShape | ListShape | RecordShape | OpenShape | ScalarShape;

type Fields = Readonly<Record<string, Shape>>;

export const text = (limits: Limits = {}): TextShape => ({ kind: 'text', limits });
export const formatted = (format: TextFormat, limits: Limits = {}): TextShape => ({
  ...text(limits),
  format,
});
export const oneOf = (...values: readonly string[]): TextShape => ({ ...text(), oneOf: values });
export const integer = (limits: Limits = {}): NumberShape => ({ kind: 'integer', limits });
export const number = (limits: Limits = {}): NumberShape => ({ kind: 'number', limits });
/** A page size or a number of results: from 1, and above `max` lowered to it. */
export const upTo = (limits: Pick<Limits, 'max' | 'ourMax'>): NumberShape => ({
  ...integer({ min: 1, ...limits }),
  lowered: true,
});
export const list = (of: Shape, limits: Limits = {}): ListShape => ({ kind: 'list', of, limits });
export const record = (fields: Fields, additive: Fields = {}): RecordShape => ({
  kind: 'record',
  fields,
  additive,
});
export const orNull = <S extends Shape>(shape: S): S => ({ ...shape, nullable: true });
export const orAbsent = <S extends Shape>(shape: S): S => ({ ...shape, absent: true });

export const flag: FlagShape = { kind: 'flag' };
export const open: OpenShape = { kind: 'open' };
export const scalar: ScalarShape = { kind: 'scalar' };
export const uuid = formatted('uuid');
export const moment = formatted('date-time');
export const day = formatted('date');
export const jobId = formatted('job-id');

/** One field of a query, a header or a body. */
export interface Asked {
  readonly shape: Shape;
  readonly required: boolean;
  readonly default?: unknown;
  /** The service's own: the contract does not know the field. */
  readonly additive?: true;
}

export const needed = (shape: Shape): Asked => ({ shape, required: true });
export const maybe = (shape: Shape, byDefault?: unknown): Asked => ({
  shape,
  required: false,
  ...(byDefault === undefined ? {} : { default: byDefault }),
});
export const ours = (field: Asked): Asked => ({ ...field, additive: true });
/** The same fields, none of them required, and none with a default: what is not given stays. */
export const partial = (fields: Readonly<Record<string, Asked>>): Record<string, Asked> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { shape, additive }]) => [
      name,
      { shape, required: false, ...(additive ? { additive } : {}) },
    ]),
  );

/** What an answer of success carries. */
export type Returns = Shape | 'nothing' | 'bytes' | 'events' | 'text';

export interface Route {
  /** Who may call it. `account`: the owner of `:accountId`. */
  readonly access: 'public' | 'user' | 'account' | 'admin';
  readonly query?: Readonly<Record<string, Asked>>;
  readonly headers?: Readonly<Record<string, Asked>>;
  readonly body?: Readonly<Record<string, Asked>>;
  readonly bodyType?: string;
  readonly answers: number;
  readonly type?: string;
  readonly returns: Returns;
  /** Of the job it starts; the beginning of the job's id. */
  readonly starts?: string;
  /** The fields of the events of a stream. */
  readonly event?: RecordShape;
  /** What else it must be able to refuse with, besides what follows from access, path and body. */
  readonly refuses?: readonly number[];
  /** Statuses of the service's own. */
  readonly ours?: readonly number[];
  /** Part of the service but not of its document. */
  readonly undocumented?: true;
}

/** `METHOD /path/:parameter` → what the contract says of it. */
export type Routes = Readonly<Record<string, Route>>;

/** Lists with pages. */
export const pages = (limit: number, max: Pick<Limits, 'max' | 'ourMax'> = { max: 100 }) => ({
  page: maybe(integer({ min: 1, ourMax: 10_000_000 }), 1),
  limit: maybe(upTo(max), limit),
});
export const paged = { total: integer(), page: integer(), limit: integer() };

/** What starts a job takes a key that makes it safe to repeat. */
export const idempotent = { 'Idempotency-Key': maybe(text({ ourMin: 1, ourMax: 255 })) };
export const withPassphrase = { 'X-Archive-Passphrase': maybe(text()) };

/** Refusals every route of that access can give, and those that any route may give besides. */
export function refusalsOf(name: string, route: Route): { must: Set<number>; may: Set<number> } {
  const must = new Set(route.refuses ?? []);
  if (route.access !== 'public') must.add(401);
  if (route.access === 'account' || route.access === 'admin') must.add(403);
  const asked = Object.values({ ...route.query, ...route.body });
  const restricted = asked.some(
    ({ required, shape }) => required || shape.kind !== 'text' || shape.limits.max,
  );
  if (route.access === 'account' || restricted) must.add(400);
  // A key without the scope, or a cookie from elsewhere; too many requests; a defect; a database that is away.
  const may = [403, 429, 500, 503, ...(route.ours ?? [])];
  if (/:\w+/.test(name)) may.push(400);
  // Too slow, too long, or of another type.
  if (route.body) may.push(400, 408, 413, 415);
  return { must, may: new Set(may) };
}
