/** Held no longer than a call takes on its way anyhow: units booked now must be spent about now. */
const GOOD_FOR_MS = 100;
const MAX_CALLS = 16;
const MAX_ACCOUNTS = 1_000;

interface Credit {
  units: number;
  /** Epoch milliseconds. */
  until: number;
  /** How many calls' units to ask for next time. */
  calls: number;
}

/**
 * Units of an account that this process has booked for the calls to come. While quota is plentiful one question to
 * Redis serves many calls; as soon as a call has to wait, each asks for itself again.
 */
export class QuotaCredit {
  private readonly credits = new Map<string, Credit>();

  /** @param mostUnits never ask for more than these in advance, so that no burst comes of it */
  constructor(private readonly mostUnits: number) {}

  /** Spends `units` if they are there. */
  spend(accountId: string, units: number, now: number): boolean {
    const credit = this.credits.get(accountId);
    if (!credit || credit.until < now || credit.units < units) return false;
    credit.units -= units;
    return true;
  }

  /** How many units to book for a call that needs `units`. */
  toBook(accountId: string, units: number): number {
    const calls = this.credits.get(accountId)?.calls ?? 1;
    const affordable = Math.floor(this.mostUnits / Math.max(1, units));
    return units * Math.max(1, Math.min(calls, affordable));
  }

  /** `spare` units were booked beyond what the call needed; `waitMs` is how long it had to wait. */
  onBooked(accountId: string, spare: number, waitMs: number, now: number): void {
    if (this.credits.size >= MAX_ACCOUNTS) this.credits.clear();
    const calls = waitMs > 0 ? 1 : Math.min(MAX_CALLS, (this.credits.get(accountId)?.calls ?? 1) * 2);
    this.credits.set(accountId, { units: spare, until: now + waitMs + GOOD_FOR_MS, calls });
  }
}
