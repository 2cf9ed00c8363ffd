import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectStoreFailure } from './object-store-failure';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** After so long without a failure, the next one begins an outage of its own. */
const FORGOTTEN_MS = 30_000;
/** A store that answers others but never this call is given up on after so many times the patience. */
const UNLUCKY = 3;

export interface Waiting {
  /** How long an outage is waited out. 0: one attempt. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** The pause before attempt `attempt` (2 for the first repetition): exponential, capped, half of it random. */
export function retryDelay(attempt: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 2), MAX_DELAY_MS) * (0.5 + random / 2);
}

/**
 * Repeats what an unavailable store did not do. How long the store has been away is known to all its callers: once
 * their patience is at its end, nobody starts to wait anew for the same outage.
 */
export class OutageRetry {
  private since: number | null = null;
  private lastFailure = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws ObjectStoreFailure when it is not worth repeating or patience has ended; the signal's reason */
  async call<T>({ patienceMs, signal }: Waiting, work: () => Promise<T>): Promise<T> {
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
        const outageMs = this.failed();
        const delay = Math.max(retryDelay(attempt, Math.random()), error.retryAfterMs);
        const unlucky = this.now() - startedAt > patienceMs * UNLUCKY;
        if (unlucky || outageMs + delay > patienceMs) throw error;
        await sleep(delay, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  /** @returns how long the outage has lasted */
  private failed(): number {
    const now = this.now();
    if (this.since === null || now - this.lastFailure > FORGOTTEN_MS) this.since = now;
    this.lastFailure = now;
    return now - this.since;
  }
}
