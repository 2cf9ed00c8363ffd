import { MailroomError } from '../errors.js';
import { delay } from './waiting.js';

/** Limits for repeating a call that may be repeated. */
export interface RetryOptions {
  /** Number of tries in total; 1 turns retries off. Default 3. */
  readonly tries?: number;
  /** Longest time to wait between two tries, in seconds. When the service asks for more, the call fails. Default 30. */
  readonly maxWaitSeconds?: number;
}

/** Effect of making a request twice. */
export type Repeatability =
  /** The same effect and the same answer as making it once. */
  | 'safe'
  /** The same effect as making it once, with another answer perhaps: repeated only when it was refused. */
  | 'idempotent'
  | 'once';

export const DEFAULT_TRIES = 3;
export const DEFAULT_MAX_WAIT_SECONDS = 30;
const CONNECTION_WAIT_MS = 250;

/**
 * Calls until it succeeds: again after a 429 or a 503 that names a time (`Retry-After`), and, where that is safe, when there
 * was no answer at all. Other failures are not repeated.
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

/** Milliseconds until the next try, or null when there must be none. @param tried tries so far */
export function waitBeforeNext(error: unknown, repeatability: Repeatability, tried: number): number | null {
  if (error instanceof MailroomError) {
    const refused = error.status === 429 || error.status === 503;
    return refused && error.retryAfter !== null ? error.retryAfter * 1000 : null;
  }
  // Fetch throws a TypeError when a connection fails, and does not say how far the request got.
  const unanswered = (error as Error | null)?.name === 'TypeError';
  return unanswered && repeatability === 'safe' ? CONNECTION_WAIT_MS * 2 ** (tried - 1) : null;
}
