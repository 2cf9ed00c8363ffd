import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions';
import { FILE_DELETIONS, type LargeTable, OF_USER, UserRowsRepository } from './user-rows.repository';

/** Deletes a user's rows in large tables, before the user's own row is deleted. */
@Injectable()
export class UserRowsService {
  constructor(
    private readonly repository: UserRowsRepository,
    private readonly transactions: Transactions,
  ) {}

  /** @param betweenBatches called between two batches; throws to stop */
  async deleteOf(userId: string, betweenBatches: () => void): Promise<void> {
    for (const table of OF_USER) await this.deleteFrom(table, userId, betweenBatches);
  }

  /** Deletes the records of the user's files to delete. They have no foreign key to the user: no cascade reaches them. */
  async deleteFileDeletions(userId: string): Promise<void> {
    await this.deleteFrom(FILE_DELETIONS, userId, () => undefined);
  }

  private async deleteFrom(table: LargeTable, userId: string, betweenBatches: () => void): Promise<void> {
    for (let deleted = table.batch; deleted === table.batch;) {
      betweenBatches();
      // A request that has not ended yet, or a nightly deletion, may lock the same rows in another order.
      deleted = await this.transactions.runRepeatable((transaction) =>
        this.repository.deleteBatch(table, userId, transaction),
      );
    }
  }
}
