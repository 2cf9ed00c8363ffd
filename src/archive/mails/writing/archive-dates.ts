/** The sources of a mail's date: its Date header, its arrival, or, when neither is known, the import. */
export const DATE_SOURCES = ['header', 'arrival', 'import'] as const;
export type DateSource = (typeof DATE_SOURCES)[number];

/** The dates under which a mail is archived. */
export interface ArchiveDates {
  /** The date that lists, months, search and exports use. */
  readonly date: Date;
  /** The arrival. It gives the storage key its month, and retention counts from the later of the two. */
  readonly receivedAt: Date;
  readonly dateSource: DateSource;
}

const DAY_MS = 86_400_000;
/** Earlier dates are those of clocks that were never set: 1 January 1970, in any time zone. */
const OLDEST = Date.UTC(1970, 0, 2);

/**
 * Chooses the dates of a mail. Its date is the Date header, unless that is missing, unreadable, before 1970-01-02 or more than
 * a day after the arrival: then it is the arrival. See ADR 107.
 * @param header the Date header; null: missing or unreadable
 * @param arrivals possible arrivals, the best first; the first that is neither before 1970-01-02 nor in the future counts
 * @param now the time of the import, whose day at midnight stands for an unknown arrival, so that repeating it gives the same
 */
export function chooseDates(
  header: Date | null,
  arrivals: readonly (Date | null)[],
  now: Date,
): ArchiveDates {
  const isBefore = (date: Date, latest: number): boolean =>
    date.getTime() >= OLDEST && date.getTime() <= latest + DAY_MS;
  const arrival = arrivals.find((date) => date !== null && isBefore(date, now.getTime())) ?? null;
  const receivedAt = arrival ?? new Date(now.getTime() - (now.getTime() % DAY_MS));
  // Against an unknown arrival the present counts, not its midnight.
  if (header && isBefore(header, (arrival ?? now).getTime()))
    return { date: header, receivedAt, dateSource: 'header' };
  return { date: receivedAt, receivedAt, dateSource: arrival ? 'arrival' : 'import' };
}

/**
 * The arrival that a From_ line tells. Programs that know of none write a constant into it: git `Mon Sep 17 00:00:00 2001`. A From_ line
 * of more than a day before a Date header that is not in the future is therefore passed over.
 * @returns null when it tells none
 */
export function arrivalOfFromLine(fromLine: Date | null, header: Date | null, now: Date): Date | null {
  if (!fromLine || !header) return fromLine;
  const isConstant =
    header.getTime() > fromLine.getTime() + DAY_MS && header.getTime() <= now.getTime() + DAY_MS;
  return isConstant ? null : fromLine;
}
