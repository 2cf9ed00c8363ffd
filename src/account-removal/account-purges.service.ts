import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { JobsService } from '../jobs/jobs.service';
import { AccountPurgesRepository } from './account-purges.repository';
import { DeleteMailboxData } from './delete-mailbox-data.job';
import { PurgeAccount } from './purge-account.job';

/** Starts the jobs that delete what belongs to accounts. */
@Injectable()
export class AccountPurgesService {
  constructor(
    private readonly repository: AccountPurgesRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Starts the deletion of an account that `transaction` holds locked, unless it is under way. */
  async start(
    userId: string,
    accountId: string,
    { purge }: { readonly purge: boolean },
    transaction: Transaction,
  ): Promise<void> {
    const { kind } = purge ? PurgeAccount : DeleteMailboxData;
    if (await this.repository.isUnderWay(kind, accountId, transaction)) return;
    const owner = { userId, accountId };
    if (purge) await this.jobs.start(PurgeAccount, owner, { accountId }, { transaction });
    else await this.jobs.start(DeleteMailboxData, owner, {}, { transaction });
  }

  /**
   * Starts the deletions again whose job failed or was cancelled. Otherwise an account would stay half deleted for ever.
   * @param round names the occasion: of several processes one starts the job
   * @returns deletions started
   */
  async resume(round: string): Promise<number> {
    const purges = await this.repository.listDue(PurgeAccount.kind);
    for (const { userId, accountId } of purges) {
      const once = `purge ${accountId} ${round}`;
      await this.jobs.startIfPossible(PurgeAccount, { userId, accountId }, { accountId }, { once });
    }
    const mailboxes = await this.repository.listWithMailboxData(DeleteMailboxData.kind);
    for (const owner of mailboxes) {
      const once = `delete mailbox data ${owner.accountId} ${round}`;
      await this.jobs.startIfPossible(DeleteMailboxData, owner, {}, { once });
    }
    return purges.length + mailboxes.length;
  }
}
