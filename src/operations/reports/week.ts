const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** 1970-01-05, the first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Time on Monday, UTC, from which the week before is reported, in milliseconds. */
const REPORTED_AFTER_MS = 8 * HOUR_MS;

/** A week, from Monday 00:00 UTC to the next Monday 00:00 UTC. */
export interface Week {
  /** Start, inclusive. */
  readonly from: Date;
  /** End, exclusive. */
  readonly to: Date;
  /** Date of the Monday, e.g. `2026-11-16`. */
  readonly monday: string;
}

/** The past week, from Monday 08:00 UTC on; null on Mondays before that. */
export function weekToReport(now: Date): Week | null {
  const sinceMonday = (now.getTime() - FIRST_MONDAY_MS) % WEEK_MS;
  if (sinceMonday < REPORTED_AFTER_MS) return null;
  const to = new Date(now.getTime() - sinceMonday);
  const from = new Date(to.getTime() - WEEK_MS);
  return { from, to, monday: from.toISOString().slice(0, 10) };
}
