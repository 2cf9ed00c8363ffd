const DAY_MS = 86_400_000;

export interface Streaks {
  /** Days in a row up to today, or up to yesterday as long as today can still be reached. */
  readonly streak: number;
  /** The longest ever. */
  readonly bestStreak: number;
}

/**
 * Runs of consecutive days on which the inbox was seen empty. A day nobody looked breaks a run.
 * @param emptyDays `YYYY-MM-DD`, each once, ascending
 * @param today `YYYY-MM-DD`
 */
export function streaksOf(emptyDays: readonly string[], today: string): Streaks {
  const now = dayNumber(today);
  let run = 0;
  let bestStreak = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of emptyDays) {
    const number = dayNumber(day);
    run = number === last + 1 ? run + 1 : 1;
    last = number;
    bestStreak = Math.max(bestStreak, run);
  }
  return { streak: last >= now - 1 ? run : 0, bestStreak };
}

/** Of a day in UTC, so that days in a row differ by one all the year round. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** The day of an instant in UTC. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
