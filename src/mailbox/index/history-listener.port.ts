import type { Transaction } from '../../platform/database/transactions';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { FoldedLabels } from './folded-changes';

/** Changes of a part of the history, at most one entry for each message. */
export interface HistoryChanges {
  /** Messages that were added or changed and are still there, spam and trash included. */
  readonly labels: readonly FoldedLabels[];
  /** Ids of messages that were deleted for good. */
  readonly deleted: readonly string[];
}

/**
 * Port through which a feature follows the mailbox with the message index. Every method runs inside the transaction
 * that moves or invalidates the stored cursor, and holds the lock of the account's `mailbox_index_states`, so that its
 * writes match the mailbox at that cursor. A part of the history may be reported again, from an earlier start, but
 * always up to the present end.
 */
export abstract class HistoryListener {
  abstract apply(
    account: Pick<ProviderAccount, 'id' | 'userId'>,
    changes: HistoryChanges,
    transaction: Transaction,
  ): Promise<void>;

  /**
   * Handles the loss of the stored cursor, which the provider has forgotten or which was deleted. Changes may have been
   * missed.
   */
  abstract onCursorLost(accountId: string, transaction: Transaction): Promise<void>;

  /** Handles a deleted label, which the history does not show. */
  abstract onLabelRemoved(accountId: string, labelId: string, transaction: Transaction): Promise<void>;
}
