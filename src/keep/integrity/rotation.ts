/** Nights per round: one fewer than the seven days promised, so that one night may be missed. */
export const NIGHTS_PER_ROUND = 6;

export interface Round {
  /** Mails of the account. */
  readonly mails: number;
  /** Mails the round has not reached yet. */
  readonly left: number;
  /** Nights since the round began. */
  readonly nightsGone: number;
}

/**
 * The number of mails to check tonight: a sixth of all, so that every mail is checked at the same pace, and more when
 * missed nights or new mail would make the round late.
 */
export function nightlyShare({ mails, left, nightsGone }: Round): number {
  const steady = Math.ceil(mails / NIGHTS_PER_ROUND);
  const due = Math.ceil(left / Math.max(1, NIGHTS_PER_ROUND - nightsGone));
  return Math.min(mails, Math.max(steady, due));
}

/** The night of an instant: its date in UTC, `yyyy-mm-dd`. */
export const nightOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Nights from one to another, 0 when the second is not later. */
export function nightsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
}
