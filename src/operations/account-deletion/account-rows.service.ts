import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../platform/database/transactions';
import { AccountRowsRepository, LARGE_TABLES, ROWS_AT_ONCE } from './account-rows.repository';

/** Deletes an account's rows in large tables, before its own row is deleted. */
@Injectable()
export class AccountRowsService {
  constructor(
    private readonly repository: AccountRowsRepository,
    private readonly transactions: Transactions,
  ) {}

  /** @param betweenBatches called between two batches; throws to stop */
  async deleteOf(accountId: string, betweenBatches: () => void): Promise<void> {
    const inBatches = async (batch: (transaction: Transaction) => Promise<number>): Promise<void> => {
      for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
        betweenBatches();
        // An index refresh of the mailbox that has not ended yet may lock the same rows in another order.
        deleted = await this.transactions.runRepeatable(batch);
      }
    };
    for (const table of LARGE_TABLES)
      await inBatches((transaction) => this.repository.deleteBatch(table, accountId, transaction));
    await inBatches((transaction) => this.repository.deleteItemsInto(accountId, transaction));
  }
}
