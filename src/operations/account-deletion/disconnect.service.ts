import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { JobFinished } from '../../platform/jobs/jobs.errors';
import { JobReader } from '../../platform/jobs/job-reader';
import { JobsService } from '../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { RunningOffloads } from '../../keep/offload/plans/running-offloads';
import { AccountPurgesService } from './account-purges.service';
import { DeleteMailboxData } from './delete-mailbox-data.job';
import { PurgeAccount } from './purge-account.job';
import { GrantRevocations } from '../../mailbox/connect/grant-revocations';

const JOBS_PER_ROUND = 100;
/** Kinds of jobs that a disconnection starts. */
const DELETIONS: readonly string[] = [PurgeAccount.kind, DeleteMailboxData.kind];

/** Disconnects accounts: ends the connection, its jobs and its grant, and deletes the data read from the mailbox. */
@Injectable()
export class DisconnectService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly grants: GrantRevocations,
    private readonly jobs: JobsService,
    private readonly jobReader: JobReader,
    private readonly purges: AccountPurgesService,
    private readonly offloads: RunningOffloads,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Disconnects on our side first: after the commit no process uses the mailbox, whatever the provider answers.
   * @throws AccountNotOwned; ArchiveWithoutMailbox without `purge`, when there is no mailbox to disconnect; OffloadRunning when `purge` would delete archived mail whose messages are being moved
   */
  async disconnect(userId: string, accountId: string, purge: boolean): Promise<void> {
    if (!purge) await this.accounts.requireMailbox(userId, accountId);
    const ended = await this.transactions.run(async (transaction) => {
      const disconnected = await this.accounts.disconnect(userId, accountId, purge, transaction);
      // An offload moves messages because the archive has them. The account is locked here: no offload starts meanwhile.
      if (purge) await this.offloads.requireNone({ userId, accountId }, transaction);
      await this.purges.start(userId, accountId, { purge }, transaction);
      return disconnected;
    });
    await this.cancelJobs(userId, accountId);
    // The credentials are deleted already: a grant that remains at the provider cannot be used any more.
    await this.grants.revoke(ended);
  }

  private async cancelJobs(userId: string, accountId: string): Promise<void> {
    for (const status of ['pending', 'active'] as const) {
      for (;;) {
        const open = await this.jobReader.list(userId, {
          accountId,
          status,
          limit: JOBS_PER_ROUND,
        });
        const others = open.filter(({ type }) => !DELETIONS.includes(type));
        for (const { queue_id: jobId } of others) await this.cancel(userId, jobId);
        if (open.length < JOBS_PER_ROUND || others.length === 0) break;
      }
    }
  }

  private async cancel(userId: string, jobId: string): Promise<void> {
    try {
      await this.jobs.cancel(userId, jobId);
    } catch (error) {
      // The job ended by itself in the meantime.
      if (!(error instanceof JobFinished) && !(error instanceof ResourceNotFound)) throw error;
    }
  }
}
