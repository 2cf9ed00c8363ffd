import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MailboxIndexer } from '../../mailbox/index/mailbox-indexer';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { NewsletterFinder } from './newsletter-finder';

/** Empty payload: the job has the account. */
export class ScanUnsubscribePayload {}

export const ScanUnsubscribe = defineJob('scan_unsubscribe', {
  queue: JobQueue.Index,
  payload: ScanUnsubscribePayload,
});

/** Scans the whole mailbox for newsletters: only messages missing from the message index are read. */
@Injectable()
@HandlesJob(ScanUnsubscribe)
export class ScanUnsubscribeHandler implements JobHandler<ScanUnsubscribePayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly indexer: MailboxIndexer,
    private readonly finder: NewsletterFinder,
  ) {}

  /** @returns `newsletters`: number of senders; `messages`, `totalSizeBytes`: of their newsletters; `scanned`: messages read */
  async run(_payload: ScanUnsubscribePayload, job: JobContext): Promise<JobResult> {
    // The account has been removed since the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    const { messages: scanned, complete } = await this.indexer.index(account, job);
    const senders = await this.finder.listSenders(account);
    return {
      newsletters: senders.length,
      messages: senders.reduce((sum, { count }) => sum + count, 0),
      totalSizeBytes: senders.reduce((sum, { bytes }) => sum + bytes, 0),
      scanned,
      complete,
    };
  }
}
