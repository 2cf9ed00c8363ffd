const DAYS = { never: null, days30: 30, days90: 90, days365: 365 } as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

export type Expiry = keyof typeof DAYS;
export const EXPIRIES = Object.keys(DAYS) as Expiry[];

/** When a key ends that is made now; null: it does not. */
export function expiryOf(expiry: Expiry, now: Date): string | null {
  const days = DAYS[expiry];
  return days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString();
}
