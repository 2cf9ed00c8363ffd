import type { CallPriority } from '../port/mailbox-provider.port';
import { Lease, PrioritySemaphore } from './priority-semaphore';

/** Refusals within this time of the first answer the same burst and count once, in milliseconds. */
const REFUSAL_WINDOW_MS = 1_000;
/** Time for which a limit at which the provider objected is not tried again, in milliseconds. */
const CEILING_MS = 60_000;

/**
 * Calls in flight for one account: additive increase, multiplicative decrease. Grows by one for each full round
 * of accepted calls while the limit is really used, halves when the provider objects and stays below the point
 * where it did so for a minute.
 */
export class ConcurrencyLimit {
  private readonly semaphore: PrioritySemaphore;
  private accepted = 0;
  private lastRefusal = -Infinity;
  private ceiling = Infinity;

  constructor(
    initial: number,
    private readonly maximum: number,
  ) {
    this.semaphore = new PrioritySemaphore(initial);
  }

  get limit(): number {
    return this.semaphore.limit;
  }

  get idle(): boolean {
    return this.semaphore.inUse === 0 && this.semaphore.waiting === 0;
  }

  /** @param calls number of calls the provider will count, e.g. the parts of a batch */
  acquire(calls: number, priority: CallPriority, signal?: AbortSignal): Promise<Lease> {
    return this.semaphore.acquire(calls, priority, signal);
  }

  /** Records that the provider served `calls` calls. Must be called while the lease is still held. */
  onAccepted(calls: number, now: number): void {
    if (now - this.lastRefusal > CEILING_MS) this.ceiling = Infinity;
    const saturated = this.semaphore.waiting > 0 || this.semaphore.inUse >= this.limit;
    if (!saturated || this.limit >= Math.min(this.maximum, this.ceiling)) return;
    this.accepted += calls;
    if (this.accepted < this.limit) return;
    this.accepted = 0;
    this.semaphore.setLimit(this.limit + 1);
  }

  /** Records that the provider refused a call for its rate or concurrency. */
  onRefused(now: number): void {
    this.accepted = 0;
    if (now - this.lastRefusal < REFUSAL_WINDOW_MS) return;
    this.lastRefusal = now;
    this.ceiling = Math.max(1, this.limit - 1);
    this.semaphore.setLimit(Math.max(1, Math.floor(this.limit / 2)));
  }
}
