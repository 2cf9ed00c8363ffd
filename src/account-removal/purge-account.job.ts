import { IsUUID } from 'class-validator';
import { ArchiveDeletionService } from '../archive/archive-deletion.service';
import { pickFacts } from '../access/audit-trail.port';
import type { JobContext } from '../jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../jobs/job-definition';
import { JobQueue } from '../jobs/job-queue';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';

/** The account is named here as well: the job outlives its row. */
export class PurgeAccountPayload {
  @IsUUID()
  accountId: string;
}

export const PurgeAccount = defineJob('purge_account', {
  queue: JobQueue.Maintenance,
  payload: PurgeAccountPayload,
  notifies: 'failure',
  // The removal was promised when it was asked for, and half an archive helps nobody.
  survivesDeactivation: true,
  audited: {
    act: 'account.purge',
    started: () => ({}),
    ended: (result) => pickFacts(result, 'mails', 'bytes', 'accountRemoved'),
  },
});

/** Removes a disconnected account with its archive: rows with their files, the account, stray files. */
@HandlesJob(PurgeAccount)
export class PurgeAccountHandler implements JobHandler<PurgeAccountPayload> {
  constructor(
    private readonly archive: ArchiveDeletionService,
    private readonly accounts: MailboxAccountsService,
  ) {}

  async run({ accountId }: PurgeAccountPayload, job: JobContext): Promise<JobResult> {
    job.setTotal((await this.archive.sizeOf(job.userId, accountId)).mails);
    const { mails, bytes } = await this.archive.purgeAccount(job.userId, accountId, job);
    job.throwIfCancelled();
    const accountRemoved = await this.accounts.removePurged(job.userId, accountId);
    await this.archive.removeLeftovers(job.userId, accountId, job);
    return { mails, bytes, accountRemoved };
  }
}
