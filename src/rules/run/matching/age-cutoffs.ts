/** The instants "so long ago" may mean; they differ where the month aimed at is too short. */
export interface AgeCutoffs {
  readonly earliest: Date;
  readonly latest: Date;
}

const DAY_MS = 86_400_000;

/**
 * When something of that age was new, counted by the calendar in UTC: one month before 31 March is the last of
 * February or, as other calendars have it, some days into March.
 * @param age a number followed by d, m or y
 * @returns undefined for anything else, and for ages beyond what dates can express
 */
export function ageCutoffs(age: string, now: Date): AgeCutoffs | undefined {
  const match = /^(\d+)([dmy])$/.exec(age);
  if (!match) return undefined;
  const count = Number(match[1]);
  const days = new Date(now.getTime() - count * DAY_MS);
  const cutoffs =
    match[2] === 'd'
      ? { earliest: days, latest: days }
      : monthsBefore(now, match[2] === 'y' ? count * 12 : count);
  return Number.isNaN(cutoffs.earliest.getTime()) ? undefined : cutoffs;
}

function monthsBefore(now: Date, months: number): AgeCutoffs {
  const overflowing = new Date(now);
  overflowing.setUTCMonth(now.getUTCMonth() - months);
  if (overflowing.getUTCDate() === now.getUTCDate()) return { earliest: overflowing, latest: overflowing };
  const clamped = new Date(overflowing);
  clamped.setUTCDate(0);
  return { earliest: clamped, latest: overflowing };
}
