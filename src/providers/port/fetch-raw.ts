import type { CallPriority, MailboxProvider, RawMessage } from './mailbox-provider.port';
import {
  MessageNotFound,
  MessageUnreadable,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from './mail-provider.errors';
import { delay as sleep } from '../../platform/concurrency/timers';

/** A message that could not be fetched. `later` may succeed once the other messages are done. */
export type UnfetchedMessage =
  | { readonly kind: 'failed'; readonly messageId: string; readonly reason: string }
  | { readonly kind: 'later'; readonly messageId: string; readonly error: ProviderUnavailable };

export type FetchedRaw = { readonly kind: 'message'; readonly message: RawMessage } | UnfetchedMessage;

export interface FetchRawOptions {
  readonly signal: AbortSignal;
  /** Expected size, if known; see `RawOptions`. */
  readonly expectedBytes?: number;
  /** Priority of the call; default: `background`. */
  readonly priority?: CallPriority;
  /** See `RawOptions`. */
  readonly everyPlace?: boolean;
}

/**
 * Longest further wait of a job, in milliseconds, after the gateway has waited and reports a limit. A job waits at most
 * `MAX_WAITS` times, since it would have to fetch the messages of its batch again; then it is postponed.
 */
const LONGEST_WAIT_MS = 30_000;
const MAX_WAITS = 4;

/**
 * Reads one message for a job, which waits for quota longer than people do. Errors of the whole account (reconnection
 * needed, disconnected, missing permission) are thrown; errors of one message are returned.
 */
export async function fetchRaw(
  provider: MailboxProvider,
  messageId: string,
  options: FetchRawOptions,
): Promise<FetchedRaw> {
  const { signal, expectedBytes, everyPlace, priority = 'background' } = options;
  try {
    const read = (): Promise<RawMessage> =>
      provider.fetchRaw(messageId, { priority, signal, expectedBytes, everyPlace });
    return { kind: 'message', message: await retryWhileRateLimited(read, signal) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof MessageNotFound || error instanceof MessageUnreadable)
      return { kind: 'failed', messageId, reason: error.code };
    if (error instanceof ProviderUnavailable) return { kind: 'later', messageId, error };
    if (error instanceof ProviderRejected && error.status === 400) {
      return { kind: 'failed', messageId, reason: error.code };
    }
    throw error;
  }
}

/** Runs `work` for a job, and repeats it up to `MAX_WAITS` times when the quota is used up. */
export async function retryWhileRateLimited<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProviderRateLimited) || waits >= MAX_WAITS) throw error;
      const waitMs = Math.max(1_000, error.retryAt.getTime() - Date.now());
      if (waitMs > LONGEST_WAIT_MS) throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}
