import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { HandlesJob, type JobHandler, type JobResult } from '../../../platform/jobs/job-definition';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { KeepCopies, KeepCopiesPayload } from './copy-jobs';
import { ContinuousArchiver } from './continuous-archiver';

/** Copies a backlog; see `ContinuousArchiver`. */
@Injectable()
@HandlesJob(KeepCopies)
export class KeepCopiesHandler implements JobHandler<KeepCopiesPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly archiver: ContinuousArchiver,
  ) {}

  async run(_payload: KeepCopiesPayload, job: JobContext): Promise<JobResult> {
    // The account has been deleted since the job was started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    return this.archiver.copyBacklog(account, job);
  }
}
