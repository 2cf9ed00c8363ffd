import type { CallPriority, MailboxProvider, RawMessage } from './mailbox-provider.port';
import {
  MessageNotFound,
  MessageUnreadable,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from './mail-provider.errors';
import { delay as sleep } from '../../platform/concurrency/timers';

/** A message that could not be had. `later` is worth another try once the others are done. */
export type UnfetchedMessage =
  | { readonly kind: 'failed'; readonly messageId: string; readonly reason: string }
  | { readonly kind: 'later'; readonly messageId: string; readonly error: ProviderUnavailable };

export type FetchedRaw = { readonly kind: 'message'; readonly message: RawMessage } | UnfetchedMessage;

export interface FetchRawOptions {
  readonly signal: AbortSignal;
  /** As far as known, see `MailboxProvider.raw`. */
  readonly expectedBytes?: number;
  /** `background` unless it says otherwise. */
  readonly priority?: CallPriority;
  /** See `RawOptions`. */
  readonly everyPlace?: boolean;
}

/**
 * The gateway has already waited its share when it reports a limit. A job waits on for so long and so often, since what it
 * has fetched of its batch would be fetched again; then it is put off.
 */
const LONGEST_WAIT_MS = 30_000;
const MAX_WAITS = 4;

/**
 * Reads one message for a job, which waits for quota longer than people do. Errors that concern the whole account
 * (reconnection needed, disconnected, missing permission) are thrown; those of one message are outcomes.
 */
export async function fetchRaw(
  provider: MailboxProvider,
  messageId: string,
  options: FetchRawOptions,
): Promise<FetchedRaw> {
  const { signal, expectedBytes, everyPlace, priority = 'background' } = options;
  try {
    const read = (): Promise<RawMessage> =>
      provider.raw(messageId, { priority, signal, expectedBytes, everyPlace });
    return { kind: 'message', message: await waitingForQuota(read, signal) };
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

/** For jobs: does it again when it was refused for lack of quota, within reason. */
export async function waitingForQuota<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
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
