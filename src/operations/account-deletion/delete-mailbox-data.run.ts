import type { JobContext } from '../../platform/jobs/job-definition';
import { KeptFigure } from '../../cleanup/analytics/kept-figures';
import type { Transaction, Transactions } from '../../platform/database/transactions';
import type { ResultCache } from '../../platform/redis/result-cache';
import type { ImapIndexReset } from '../../providers/imap/sync/imap-index-reset';
import type { MessageIndexService } from '../../mailbox/index/message-index.service';
import { type AccountRowsRepository, MAILBOX_TABLES, type MailboxTable } from './account-rows.repository';

export interface DeleteMailboxDataServices {
  readonly rows: AccountRowsRepository;
  readonly index: MessageIndexService;
  readonly imapIndex: ImapIndexReset;
  readonly results: ResultCache;
  readonly transactions: Transactions;
}

/**
 * Deletes the data read from a disconnected mailbox that is not part of its archive. When the user connects it again meanwhile,
 * the deletion ends and the rest stays: every batch marks the index as incomplete.
 */
export class DeleteMailboxDataRun {
  constructor(
    private readonly accountId: string,
    private readonly job: JobContext,
    private readonly services: DeleteMailboxDataServices,
  ) {}

  /** @returns `rows`: number of rows deleted */
  async run(): Promise<{ rows: number }> {
    const rows = await this.deleteRows();
    for (const figure of Object.values(KeptFigure))
      await this.services.results.forget([figure, this.accountId]);
    return { rows };
  }

  private async deleteRows(): Promise<number> {
    let total = 0;
    for (const table of MAILBOX_TABLES) {
      for (;;) {
        this.job.throwIfCancelled();
        const deleted = await this.runIfDisconnected((transaction) => this.deleteBatch(table, transaction));
        if (deleted === null) return total;
        if (deleted === 0) break;
        total += deleted;
      }
    }
    await this.runIfDisconnected((transaction) =>
      this.services.index.deleteState(this.accountId, transaction),
    );
    return total;
  }

  private async deleteBatch(table: MailboxTable, transaction: Transaction): Promise<number> {
    const { accountId } = this;
    const { index, imapIndex, rows } = this.services;
    await index.loseCoverage(accountId, transaction);
    await imapIndex.reset(accountId, transaction);
    return rows.deleteBatch(table, accountId, transaction);
  }

  /**
   * Runs work while the account is locked. @returns null when the mailbox is connected again, or the account is to be deleted
   * altogether
   */
  private runIfDisconnected<T>(work: (transaction: Transaction) => Promise<T>): Promise<T | null> {
    const { rows, transactions } = this.services;
    return transactions.runRepeatable(async (transaction) =>
      (await rows.lockDisconnected(this.job.userId, this.accountId, transaction)) ? work(transaction) : null,
    );
  }
}
