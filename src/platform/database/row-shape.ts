/** A check of one column's values as they come from the driver, so that a type never claims more than the SQL. */
export interface Column<T> {
  readonly expected: string;
  accepts(value: unknown): value is T;
}

/** A column for each property of a row. */
export type RowShape<T> = { readonly [K in keyof T]: Column<T[K]> };

const kind = <T>(expected: string, accepts: (value: unknown) => value is T): Column<T> => ({
  expected,
  accepts,
});

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isString = (value: unknown): value is string => typeof value === 'string';

/** The columns that statements answer, by what the driver makes of PostgreSQL's types. */
export const column = {
  /** text, uuid; also bigint and numeric, which exceed what a number holds. */
  text: kind('text', isString),
  /** integer, double precision. */
  number: kind('a number', isNumber),
  boolean: kind('a boolean', (value): value is boolean => typeof value === 'boolean'),
  /** timestamptz */
  date: kind('a date', (value): value is Date => value instanceof Date),
  /** timestamptz in `readRows`: ISO 8601 text, as answers have it */
  timestamp: kind('a timestamp', isString),
  /** bytea */
  bytes: kind('bytes', (value): value is Buffer => Buffer.isBuffer(value)),
  /** jsonb that only this service writes: its inner form is the writer's promise. */
  json: <T>(): Column<T> => kind('JSON', (value): value is T => value !== undefined),
  nullable: <T>({ expected, accepts }: Column<T>): Column<T | null> =>
    kind(`${expected} or null`, (value): value is T | null => value === null || accepts(value)),
  array: <T>({ expected, accepts }: Column<T>): Column<T[]> =>
    kind(`an array of ${expected}`, (value): value is T[] => Array.isArray(value) && value.every(accepts)),
  oneOf: <const T extends string | number>(values: readonly T[]): Column<T> =>
    kind(`one of ${values.join(', ')}`, (value): value is T => values.some((known) => known === value)),
};

/** A statement answered other columns than its repository reads: a fault of the code. Names no values. */
export class RowMismatch extends Error {
  constructor(name: string, expected: string) {
    super(`The column "${name}" is not ${expected}`);
    this.name = 'RowMismatch';
  }
}

/** @throws RowMismatch naming the first column that is missing or holds something else */
export function typedRows<T extends object>(shape: RowShape<T>, rows: readonly unknown[]): T[] {
  const columns = Object.entries<Column<unknown>>(shape);
  for (const row of rows as readonly Record<string, unknown>[]) {
    for (const [name, expected] of columns) {
      if (!expected.accepts(row[name])) throw new RowMismatch(name, expected.expected);
    }
  }
  return rows as T[];
}
