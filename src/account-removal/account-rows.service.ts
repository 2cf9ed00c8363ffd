import { Injectable } from '@nestjs/common';
import { AccountRowsRepository } from './account-rows.repository';

/** Deletes what an account has in large tables, before its own row is deleted. */
@Injectable()
export class AccountRowsService {
  constructor(private readonly repository: AccountRowsRepository) {}

  /** @param betweenBatches may throw to stop */
  deleteOf(accountId: string, betweenBatches: () => void): Promise<void> {
    return this.repository.deleteOf(accountId, betweenBatches);
  }
}
