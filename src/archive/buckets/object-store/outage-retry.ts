import { ObjectStoreFailure } from './object-store-failure';
import { delay as sleep } from '../../../platform/concurrency/timers';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** Time without a failure after which the next one begins a new outage. */
const FORGOTTEN_MS = 30_000;
/** A call that keeps failing while others succeed ends after this multiple of its wait. */
const UNLUCKY = 3;

export interface Waiting {
  /** Time to wait for the end of an outage, in milliseconds; 0: one attempt. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

/** The pause before attempt `attempt` (2 for the first repetition): exponential, capped, half of it random. */
export function retryDelay(attempt: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 2), MAX_DELAY_MS) * (0.5 + random / 2);
}

/**
 * Retries calls of an unavailable store. All callers share the length of the outage: once
 * a call has waited out its time, no other starts to wait anew for the same outage.
 */
export class OutageRetry {
  private since: number | null = null;
  private lastFailure = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws ObjectStoreFailure when a retry is pointless or the wait is over; the signal's reason */
  async call<T>({ waitMs, signal }: Waiting, work: () => Promise<T>): Promise<T> {
    const startedAt = this.now();
    for (let attempt = 2; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        const result = await work();
        this.since = null;
        return result;
      } catch (error) {
        if (!(error instanceof ObjectStoreFailure)) throw error;
        if (error.kind !== 'unavailable') {
          this.since = null;
          throw error;
        }
        const outageMs = this.recordFailure();
        const delay = Math.max(retryDelay(attempt, Math.random()), error.retryAfterMs);
        const unlucky = this.now() - startedAt > waitMs * UNLUCKY;
        if (unlucky || outageMs + delay > waitMs) throw error;
        await sleep(delay, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  /** Records a failure. @returns duration of the outage in milliseconds */
  private recordFailure(): number {
    const now = this.now();
    if (this.since === null || now - this.lastFailure > FORGOTTEN_MS) this.since = now;
    this.lastFailure = now;
    return now - this.since;
  }
}
