import pg, { type CustomTypesConfig } from 'pg';

/** `2026-11-22 21:20:55.300814+00`, as PostgreSQL writes it where the session's time zone is UTC. */
const UTC = /^([1-9]\d{3})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00$/;
const { TIMESTAMPTZ } = pg.types.builtins;
type TypeParser = (text: string) => unknown;
const parseAny = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;

/** Reads a `timestamptz`, to the millisecond. Lists have several in each row, nearly all in the one form. */
export function parseTimestamp(text: string): Date {
  const parts = UTC.exec(text);
  if (!parts) return parseAny(text);
  const [, year, month, day, hours, minutes, seconds, fraction = ''] = parts;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  return new Date(
    Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hours),
      Number(minutes),
      Number(seconds),
      ms,
    ),
  );
}

/** For all connections of the process; to be called before the first. */
export const useFastTimestamps = (): void => pg.types.setTypeParser(TIMESTAMPTZ, parseTimestamp);

/** Years of four digits in UTC: all else of the form is at fixed places. */
const isUtc = (text: string): boolean =>
  text.length >= 22 && text[4] === '-' && text[10] === ' ' && text.endsWith('+00');

/** Length of the shortest text whose fraction has at least three digits, its zone included. */
const WITH_MILLISECONDS = '2026-11-22 21:20:55.300+00'.length;

/**
 * A `timestamptz` as answers have it, ISO 8601 in UTC with milliseconds: what `toISOString` writes of the date that
 * `parseTimestamp` reads, at a tenth of the cost.
 */
export function isoTimestamp(text: string): string {
  if (!isUtc(text)) return parseAny(text).toISOString();
  if (text.length >= WITH_MILLISECONDS) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

const TYPE: number = TIMESTAMPTZ;

/** For statements whose rows go into answers as they are. */
export const ISO_TIMESTAMPS: CustomTypesConfig = {
  getTypeParser: (type, format): TypeParser =>
    (type as number) === TYPE ? isoTimestamp : (pg.types.getTypeParser(type, format) as TypeParser),
};
