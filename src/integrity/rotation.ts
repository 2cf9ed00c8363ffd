/** Nights in which a round is to be through: one less than the seven days promised, so that a night may be missed. */
export const NIGHTS_PER_ROUND = 6;

export interface Round {
  /** Mails of the account. */
  readonly mails: number;
  /** Of these, those the round has still to come to. */
  readonly left: number;
  /** Nights since the one it began with. */
  readonly nightsGone: number;
}

/**
 * How many mails to check tonight: a sixth of all, so that every mail's turn comes at the same pace round after round,
 * and more when the round would otherwise not be through in time, because nights were missed or mail was added.
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
