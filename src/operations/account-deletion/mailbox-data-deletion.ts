import { Injectable } from '@nestjs/common';
import { KeptFigure } from '../../cleanup/analytics/kept-figures';
import { type Transaction, Transactions } from '../../platform/database/transactions';
import { ResultCache } from '../../platform/redis/result-cache';
import { ImapIndexReset } from '../../providers/imap/sync/imap-index-reset';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { AccountRowsRepository, MAILBOX_TABLES, type MailboxTable } from './account-rows.repository';

/**
 * Deletes the data read from a disconnected mailbox that is not part of its archive. When the user connects it again meanwhile,
 * the deletion ends and the rest stays: every batch marks the index as incomplete.
 */
@Injectable()
export class MailboxDataDeletion {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly index: MessageIndexService,
    private readonly imapIndex: ImapIndexReset,
    private readonly results: ResultCache,
    private readonly transactions: Transactions,
  ) {}

  /** @param betweenBatches called between two batches; throws to stop. @returns rows deleted */
  async delete(userId: string, accountId: string, betweenBatches: () => void): Promise<number> {
    const deleted = await this.deleteRows(userId, accountId, betweenBatches);
    for (const figure of Object.values(KeptFigure)) await this.results.forget([figure, accountId]);
    return deleted;
  }

  private async deleteRows(userId: string, accountId: string, betweenBatches: () => void): Promise<number> {
    let total = 0;
    for (const table of MAILBOX_TABLES) {
      for (;;) {
        betweenBatches();
        const deleted = await this.runIfDisconnected(userId, accountId, (transaction) =>
          this.deleteBatch(accountId, table, transaction),
        );
        if (deleted === null) return total;
        if (deleted === 0) break;
        total += deleted;
      }
    }
    await this.runIfDisconnected(userId, accountId, (transaction) =>
      this.index.deleteState(accountId, transaction),
    );
    return total;
  }

  private async deleteBatch(
    accountId: string,
    table: MailboxTable,
    transaction: Transaction,
  ): Promise<number> {
    await this.index.loseCoverage(accountId, transaction);
    await this.imapIndex.reset(accountId, transaction);
    return this.rows.deleteBatch(table, accountId, transaction);
  }

  /**
   * Runs work while the account is locked. @returns null when the mailbox is connected again, or the account is to be deleted
   * altogether
   */
  private runIfDisconnected<T>(
    userId: string,
    accountId: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T | null> {
    return this.transactions.runRepeatable(async (transaction) =>
      (await this.rows.lockDisconnected(userId, accountId, transaction)) ? work(transaction) : null,
    );
  }
}
