import { MailroomError } from '../errors.js';
import { delay } from './waiting.js';

/** How often and how long a call is tried that may be tried again. */
export interface RetryOptions {
  /** Tries in all; 1 turns retries off. Default 3. */
  readonly tries?: number;
  /** The longest time to wait between two tries, in seconds: told to wait longer, a call fails. Default 30. */
  readonly maxWaitSeconds?: number;
}

/** What doing a request twice would do. */
export type Repeatability =
  /** The same as doing it once, answer included. */
  | 'safe'
  /** The same as doing it once, with another answer perhaps: tried again only when it was refused. */
  | 'idempotent'
  | 'once';

export const DEFAULT_TRIES = 3;
export const DEFAULT_MAX_WAIT_SECONDS = 30;
const CONNECTION_WAIT_MS = 250;

/**
 * Calls until it succeeds: again after a 429 or a 503 that says when (`Retry-After`), and, where that is safe, when there
 * was no answer at all. Nothing else is tried again, and nothing that would be done twice.
 * @throws what the last try threw, or the signal's reason
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  repeatability: Repeatability,
  options: RetryOptions = {},
  signal?: AbortSignal,
): Promise<T> {
  const tries = repeatability === 'once' ? 1 : (options.tries ?? DEFAULT_TRIES);
  const maxWaitMs = (options.maxWaitSeconds ?? DEFAULT_MAX_WAIT_SECONDS) * 1000;
  for (let tried = 1; ; tried += 1) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = waitBeforeNext(error, repeatability, tried);
      if (waitMs === null || tried >= tries || waitMs > maxWaitMs) throw error;
      await delay(waitMs, signal);
    }
  }
}

/** Milliseconds, or null when there is to be no other try. @param tried tries so far */
export function waitBeforeNext(error: unknown, repeatability: Repeatability, tried: number): number | null {
  if (error instanceof MailroomError) {
    const refused = error.status === 429 || error.status === 503;
    return refused && error.retryAfter !== null ? error.retryAfter * 1000 : null;
  }
  // Fetch answers a connection that fails with a TypeError, and nothing tells how far the request got.
  const unanswered = (error as Error | null)?.name === 'TypeError';
  return unanswered && repeatability === 'safe' ? CONNECTION_WAIT_MS * 2 ** (tried - 1) : null;
}
