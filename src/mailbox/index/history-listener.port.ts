import type { Transaction } from '../../platform/database/transactions';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { FoldedLabels } from './folded-changes';

/** What a stretch of history did, at most one entry for each message. */
export interface HistoryChanges {
  /** Messages that were added or changed and are still there, spam and trash included. */
  readonly labels: readonly FoldedLabels[];
  /** Ids of messages that were deleted for good. */
  readonly deleted: readonly string[];
}

/**
 * Follows the mailbox with the message index; implemented by a feature. Every method runs inside the transaction that moves
 * the stored cursor or takes back what it stands for, and holds the lock of the account's `mailbox_index_states`: what it
 * writes is true of the mailbox as of that cursor. Stretches may come again, from an earlier start, but always up to the
 * present end.
 */
export abstract class HistoryListener {
  abstract apply(
    account: Pick<ProviderAccount, 'id' | 'userId'>,
    changes: HistoryChanges,
    transaction: Transaction,
  ): Promise<void>;

  /** The provider has forgotten the stored cursor, or it was given up: changes may have been missed. */
  abstract lost(accountId: string, transaction: Transaction): Promise<void>;

  /** A deleted label left its messages without a word in the history. */
  abstract labelRemoved(accountId: string, labelId: string, transaction: Transaction): Promise<void>;
}
