import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import type { JobContext } from '../../../platform/jobs/job-definition';
import {
  defineJob,
  HandlesJob,
  type JobHandler,
  type JobResult,
} from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';
import { KeepCopiesRun } from './keep-copies.run';
import { MessageCopier } from './message-copier';

/** Empty: the account is the job's own, and the ledger says what there is to do. */
export class KeepCopiesPayload {}

export const KeepCopies = defineJob('keep_copies', {
  queue: JobQueue.Keep,
  payload: KeepCopiesPayload,
  // No user asked for this job; an event says that a mailbox is archived again.
  notifies: 'failure',
});

/** Copies a backlog; see `KeepCopiesRun`. */
@Injectable()
@HandlesJob(KeepCopies)
export class KeepCopiesHandler implements JobHandler<KeepCopiesPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly settings: ArchivingSettingsRepository,
    private readonly copier: MessageCopier,
  ) {}

  async run(_payload: KeepCopiesPayload, job: JobContext): Promise<JobResult> {
    // The account has been deleted since the job was started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    const { settings, copier } = this;
    return new KeepCopiesRun(account, job, { settings, copier }).run();
  }
}
