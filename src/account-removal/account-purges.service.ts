import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { JobsService } from '../jobs/jobs.service';
import { AccountPurgesRepository } from './account-purges.repository';
import { PurgeAccount } from './purge-account.job';

/** Starts the jobs that purge accounts. */
@Injectable()
export class AccountPurgesService {
  constructor(
    private readonly repository: AccountPurgesRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Starts the purge of an account that `transaction` holds locked, unless it is under way. */
  async start(userId: string, accountId: string, transaction: Transaction): Promise<void> {
    if (await this.repository.isUnderWay(PurgeAccount.kind, accountId, transaction)) return;
    await this.jobs.start(PurgeAccount, { userId, accountId }, { accountId }, { transaction });
  }

  /**
   * Starts the purges again whose job failed or was cancelled. Otherwise an account would stay half deleted for ever.
   * @param round names the occasion: of several processes one starts the job
   * @returns purges started
   */
  async resume(round: string): Promise<number> {
    const due = await this.repository.listDue(PurgeAccount.kind);
    for (const { userId, accountId } of due) {
      const once = `purge ${accountId} ${round}`;
      await this.jobs.startUnlessInactive(PurgeAccount, { userId, accountId }, { accountId }, { once });
    }
    return due.length;
  }
}
