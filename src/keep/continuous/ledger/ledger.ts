/** ExcludedMessage of messages whose copies were deleted, by retention or by hand: they are not fetched again. */
export const REMOVED = 'removed';

/** Reasons of failure that come from the integrity check: the copy, not the message, is at fault. */
export const COPY_MISSING = 'copy-missing';
export const COPY_ALTERED = 'copy-altered';
/** The file is what was fetched, but the mailbox has other bytes. */
export const PROVIDER_DIFFERS = 'provider-differs';

/** Lease of a message that is being copied, in milliseconds. */
export const LEASE_MS = 2 * 60_000;

const MINUTE = 60;
/** Seconds until the next attempt, by how many have failed; from the last one on always the same. */
export const RETRY_SECONDS: readonly number[] = [
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  120 * MINUTE,
  360 * MINUTE,
  1_440 * MINUTE,
];

/** A message that is due, to be copied or excluded. */
export interface DueMessage {
  readonly messageId: string;
  /** Labels as the history has them. */
  readonly labelIds: string[];
  /** `excluded`: an exclusion that ends with time, see `ExcludedMessage.until`. */
  readonly class: 'pending' | 'failed' | 'excluded';
  /** Failed attempts so far. */
  readonly attempts: number;
  /** Why the last attempt failed; null: there was none. `COPY_MISSING`, `COPY_ALTERED`: the file is to be written anew. */
  readonly reason: string | null;
  /** Bytes, as the provider says; null: not known. */
  readonly sizeBytes: number | null;
  /** The archived mail of the message; null: there is none. */
  readonly mailId: string | null;
}

export interface Failure {
  readonly messageId: string;
  /** A code of at most 64 characters, of which there are few: they are counted one by one. */
  readonly reason: string;
}

export interface ExcludedMessage {
  readonly messageId: string;
  /**
   * Which exclusion matches, in at most 64 characters: its type, and what follows a colon. Those of `LABEL_EXCLUSIONS` end
   * when the labels of the message change.
   */
  readonly exclusion: string;
  /** When it has to be judged anew; without, only a change of labels or of the settings ends it. */
  readonly until?: Date;
}

/** Types of exclusions that go by labels: the message is pending again when its labels change. */
export const LABEL_EXCLUSIONS: readonly string[] = ['spam', 'trash', 'drafts', 'label'];

export interface Backlog {
  readonly accountId: string;
  readonly pending: number;
  readonly failed: number;
  /** Since when the oldest one waits that was never tried; null: none waits. */
  readonly oldestPendingAt: Date | null;
}

/** A message as listed. */
export interface ListedMessage {
  readonly id: string;
  readonly labelIds: readonly string[];
}
