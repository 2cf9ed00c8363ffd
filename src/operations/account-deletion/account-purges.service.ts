import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { JobsService } from '../../platform/jobs/jobs.service';
import { AccountPurgesRepository } from './account-purges.repository';
import { logFailure } from '../../platform/logging/log-failure';
import { DeleteMailboxData } from './delete-mailbox-data.job';
import { PurgeAccount } from './purge-account.job';

/** Starts the jobs that delete accounts, or the data of their mailboxes. */
@Injectable()
export class AccountPurgesService {
  private readonly logger = new Logger(AccountPurgesService.name);

  constructor(
    private readonly repository: AccountPurgesRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Starts the deletion of an account that `transaction` has locked, unless it is in progress. */
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
   * Restarts deletions whose job failed or was cancelled. Otherwise an account would stay half deleted for ever.
   * @param round identifies the occasion: only one of several processes starts the job
   * @returns the number of deletions started
   */
  async resume(round: string): Promise<number> {
    let started = 0;
    for (const owner of await this.repository.listDue(PurgeAccount.kind)) {
      const { accountId } = owner;
      const once = `purge ${accountId} ${round}`;
      const start = (): Promise<unknown> =>
        this.jobs.startIfPossible(PurgeAccount, owner, { accountId }, { once });
      if (await this.tryStart(accountId, start)) started += 1;
    }
    for (const owner of await this.repository.listWithMailboxData(DeleteMailboxData.kind)) {
      const once = `delete mailbox data ${owner.accountId} ${round}`;
      const start = (): Promise<unknown> => this.jobs.startIfPossible(DeleteMailboxData, owner, {}, { once });
      if (await this.tryStart(owner.accountId, start)) started += 1;
    }
    return started;
  }

  /**
   * Starts a deletion. A failure is logged and does not stop the others; the next hour tries again. @returns whether it was
   * started
   */
  private async tryStart(accountId: string, start: () => Promise<unknown>): Promise<boolean> {
    const failure = `The deletion of ${accountId} was not started`;
    return (await logFailure(this.logger, failure, start)) !== undefined;
  }
}
