import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition';
import { HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxIndexer } from './mailbox-indexer';
import { IndexMailbox, IndexMailboxPayload } from './index-jobs';

/** Indexes the missing messages of a mailbox; see `IndexMailboxRun`. */
@Injectable()
@HandlesJob(IndexMailbox)
export class IndexMailboxHandler implements JobHandler<IndexMailboxPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly indexer: MailboxIndexer,
  ) {}

  async run(_payload: IndexMailboxPayload, job: JobContext): Promise<JobResult> {
    // The account was deleted after the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    return { ...(await this.indexer.index(account, job)) };
  }
}
