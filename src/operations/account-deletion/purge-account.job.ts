import { IsUUID } from 'class-validator';
import { ArchiveDeletionService } from '../../archive/mails/archive-deletion.service';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { AccountRowsService } from './account-rows.service';

/** Owner and account; the account is repeated here because the job outlives its row. */
export class PurgeAccountPayload {
  @IsUUID()
  accountId: string;
}

export const PurgeAccount = defineJob('purge_account', {
  queue: JobQueue.Maintenance,
  payload: PurgeAccountPayload,
  notifies: 'failure',
  // The deletion was promised when it was requested, and half an archive is of no use.
  survivesDeactivation: true,
  // The files are deleted last, after the account's row.
  outlivesAccount: true,
  audited: {
    act: 'account.purge',
    factsOfStart: () => ({}),
    factsOfEnd: (result) => pickFacts(result, 'mails', 'bytes', 'accountRemoved'),
  },
});

/** Deletes a disconnected account with its archive: mails with their files, other rows, the account, stray files. */
@HandlesJob(PurgeAccount)
export class PurgeAccountHandler implements JobHandler<PurgeAccountPayload> {
  constructor(
    private readonly archive: ArchiveDeletionService,
    private readonly accounts: MailboxAccountsService,
    private readonly rows: AccountRowsService,
  ) {}

  async run({ accountId }: PurgeAccountPayload, job: JobContext): Promise<JobResult> {
    job.setTotal((await this.archive.sizeOf(job.userId, accountId)).mails);
    const { mails, bytes } = await this.archive.deleteAccount(job.userId, accountId, job);
    await this.rows.deleteOf(accountId, () => job.throwIfCancelled());
    job.throwIfCancelled();
    const accountRemoved = await this.accounts.deletePurged(job.userId, accountId);
    await this.archive.deleteLeftoverFiles(job.userId, accountId, job);
    return { mails, bytes, accountRemoved };
  }
}
