import { Injectable } from '@nestjs/common';
import { MailPresenceService } from '../../../archive/mails/mail-presence.service';
import { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import { deleteInBatches } from '../../../platform/database/base.repository';
import { Transaction, Transactions } from '../../../platform/database/transactions';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import {
  ArchivingSettingsRepository,
  type LedgerState,
  type Reconciled,
} from '../settings/archiving-settings.repository';
import {
  type Backlog,
  COPY_ALTERED,
  COPY_MISSING,
  type DueMessage,
  type ExcludedMessage,
  type Failure,
  type ListedMessage,
  PROVIDER_DIFFERS,
  REMOVED,
} from './ledger';
import { type Copy, LedgerRepository } from './ledger.repository';

/** Why a message has failed, by what was found about its copy. */
const REASONS = { missing: COPY_MISSING, altered: COPY_ALTERED, differs: PROVIDER_DIFFERS } as const;

/** Whose ledger. */
export type LedgerOwner = Pick<ProviderAccount, 'id' | 'userId'>;

/**
 * The coverage ledger: what became of each message of a mailbox. Its rows come and go with the change history
 * (`LedgerHistory`), and become archived or removed with `archived_mails`, by triggers; what is done here is the rest.
 * Where the ledger is off nothing is done at all.
 *
 * Locks: a transaction that is passed in may hold those of `mailbox_index_states` and of the archive, and takes neither later.
 */
@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly settings: ArchivingSettingsRepository,
    private readonly presence: MailPresenceService,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Begins a ledger anew: nothing is left of an earlier one, and it is not exact until a reconcile has ended.
   * @param transaction in which the mode is set to another than `off` before
   */
  async begin({ id, userId }: LedgerOwner, transaction: Transaction): Promise<void> {
    if (!(await this.archiveLock.acquire({ userId, accountId: id }, transaction))) return;
    await this.settings.lockLedgerState(id, transaction);
    await this.settings.markInexact(id, transaction);
    await deleteInBatches((limit) => this.ledger.clear(id, limit, transaction));
    await this.ledger.countGone(id, transaction);
  }

  /** Deletes the rows of a ledger that is off, some at a time; `begin` deletes what is left if it does not come to its end. */
  async clear(accountId: string): Promise<void> {
    await deleteInBatches((limit) =>
      this.transactions.run(async (transaction) => {
        const state = await this.settings.lockLedgerState(accountId, transaction);
        return state?.mode === 'off' ? this.ledger.clear(accountId, limit, transaction) : 0;
      }),
    );
  }

  /**
   * Takes up to `limit` messages for two minutes that are due: pending ones, then failed ones, then those whose exclusion
   * ends with time; of each kind those that became due last first, so that new mail does not wait for a backlog. What a
   * process that was killed had taken is due again afterwards.
   */
  leaseDue(accountId: string, limit: number): Promise<DueMessage[]> {
    return this.write(accountId, [], (transaction) => this.ledger.leaseDue(accountId, limit, transaction));
  }

  /** Gives back messages that were not tried. @param until when they are due again; null: at once */
  async release(accountId: string, messageIds: readonly string[], until: Date | null = null): Promise<void> {
    await this.write(accountId, undefined, (transaction) =>
      this.ledger.release(accountId, messageIds, until, transaction),
    );
  }

  /** Messages could not be copied: the next attempt is in 1, 5, 30 minutes, 2, 6 hours, then daily. */
  async fail(accountId: string, failures: readonly Failure[]): Promise<void> {
    await this.write(accountId, undefined, (transaction) =>
      this.ledger.fail(accountId, failures, transaction),
    );
  }

  /** Messages are not to be copied. */
  async exclude(accountId: string, exclusions: readonly ExcludedMessage[]): Promise<void> {
    await this.write(accountId, undefined, (transaction) =>
      this.ledger.exclude(accountId, exclusions, transaction),
    );
  }

  /** The exclusions of the settings have changed: all messages that were excluded, but removed ones, are judged anew. */
  async rejudge(accountId: string): Promise<void> {
    await deleteInBatches((limit) =>
      this.write(accountId, 0, (transaction) => this.ledger.rejudge(accountId, REMOVED, limit, transaction)),
    );
  }

  /**
   * Makes those of the messages archived that the archive has under their ids. Needed only for what the triggers did not see:
   * mail that is written or renamed is marked in its own transaction.
   * @returns their ids
   */
  markArchived(accountId: string, messageIds: readonly string[]): Promise<string[]> {
    return this.write(accountId, [], (transaction) =>
      this.ledger.markArchived(accountId, messageIds, transaction),
    );
  }

  /** Files of archived mails have been read, and are what their rows say. */
  async recordVerified(accountId: string, copies: readonly Copy[]): Promise<void> {
    if (copies.length === 0) return;
    await this.write(accountId, undefined, (transaction) =>
      this.ledger.verify(accountId, copies, transaction),
    );
  }

  /**
   * Files of archived mails are missing, altered or not what the mailbox has, and a finding says so: their messages count as failed, and are fetched
   * anew unless the mails are encrypted.
   * @param transaction holds the lock of the archive
   */
  async recordDamaged(
    accountId: string,
    copies: readonly (Copy & { readonly problem: keyof typeof REASONS })[],
    transaction: Transaction,
  ): Promise<void> {
    const state = await this.settings.lockLedgerState(accountId, transaction);
    if (!state || state.mode === 'off') return;
    const failed = copies.map(({ id, sha256, problem }) => ({
      id,
      sha256,
      reason: REASONS[problem],
    }));
    await this.ledger.distrust(accountId, failed, transaction);
  }

  /** Lists the backlogs of those accounts that have pending or failed messages. */
  findBacklogs(accountIds: readonly string[]): Promise<Backlog[]> {
    return this.ledger.findBacklogs(accountIds);
  }

  /** Finds the state of an account's ledger; null: off, and never on. */
  findState(accountId: string): Promise<LedgerState | null> {
    return this.settings.findLedgerState(accountId);
  }

  /**
   * Writes messages that a listing found, with their labels: unknown ones become pending, or archived. To be called while
   * history since the listing is replayed on top (`HistoryReplay.replayOver`, `before`).
   * @param transaction holds the lock of the account's `mailbox_index_states`
   */
  async adopt(owner: LedgerOwner, listed: readonly ListedMessage[], transaction: Transaction): Promise<void> {
    const state = await this.lockAll(owner, transaction);
    if (!state) return;
    const changes = listed.map(({ id, labelIds }) => ({ id, labelIds, add: [], remove: [], added: false }));
    const relabelled = await this.ledger.relabel(owner.id, changes, transaction);
    const added = await this.ledger.add(owner.id, listed, transaction);
    await this.presence.relabel(owner.id, [...relabelled, ...added], state.followLabels, transaction);
    const kept = listed.flatMap(({ id, labelIds }) => (labelIds.includes('TRASH') ? [] : [id]));
    await this.presence.clearDoubts(owner.id, kept, transaction);
  }

  /**
   * Deletes the rows of messages that the mailbox does not have; archived mails of them are gone from it.
   * @param transaction holds the lock of the account's `mailbox_index_states`
   */
  async remove(owner: LedgerOwner, messageIds: readonly string[], transaction: Transaction): Promise<void> {
    if (!(await this.lockAll(owner, transaction))) return;
    await this.ledger.remove(owner.id, messageIds, transaction);
    await this.presence.markGone(owner.id, messageIds, transaction);
  }

  /** Ids of the ledger in order, for comparing them with a listing. @param after null: from the first */
  findIdsAfter(accountId: string, after: string | null, limit: number): Promise<string[]> {
    return this.ledger.findIdsAfter(accountId, after, limit);
  }

  /**
   * A reconcile has ended: the ledger is exact, unless it lost track during the reconcile.
   * @param transaction in which its last rows are written, or a later one that holds the lock of `mailbox_index_states`
   * @returns whether it is exact
   */
  async finishReconcile(
    owner: LedgerOwner,
    reconciled: Reconciled,
    transaction: Transaction,
  ): Promise<boolean> {
    if (!(await this.lockAll(owner, transaction))) return false;
    await this.ledger.countGone(owner.id, transaction);
    return this.settings.recordReconciled(owner.id, reconciled, transaction);
  }

  /** The ledger cannot be trusted: it is not exact until a reconcile has ended that begins later. */
  async loseTrack(accountId: string): Promise<void> {
    await this.settings.markInexact(accountId);
  }

  /**
   * Labels of those of some messages that the ledger has, by message id, as of the stored cursor. Empty unless the ledger is
   * exact: what was missed would not be seen.
   */
  async labelsOf(
    accountId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const state = await this.settings.findLedgerState(accountId);
    if (!state?.exact || state.mode === 'off') return new Map();
    return this.ledger.labelsOf(accountId, messageIds);
  }

  /** Compares the provider's count of messages. @param agreed whether it is as it should be */
  recordProviderCount(accountId: string, count: { total: number; agreed: boolean }): Promise<void> {
    return this.settings.recordProviderCount(accountId, count);
  }

  /** Locks the archive, then the ledger. @returns null when the ledger is off */
  private async lockAll(owner: LedgerOwner, transaction: Transaction): Promise<LedgerState | null> {
    const locked = await this.archiveLock.acquire({ userId: owner.userId, accountId: owner.id }, transaction);
    const state = locked ? await this.settings.lockLedgerState(owner.id, transaction) : null;
    return state?.mode === 'off' ? null : state;
  }

  /** @param otherwise the answer when the ledger is off */
  private write<T>(
    accountId: string,
    otherwise: T,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(async (transaction) => {
      const state = await this.settings.lockLedgerState(accountId, transaction);
      return state && state.mode !== 'off' ? work(transaction) : otherwise;
    });
  }
}
