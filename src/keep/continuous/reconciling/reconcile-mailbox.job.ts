import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import { CopyReviewService } from '../../copy-review/copy-review.service';
import type { JobContext } from '../../../platform/jobs/job-definition';
import {
  defineJob,
  HandlesJob,
  type JobHandler,
  type JobResult,
} from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { CopiesUnderReview } from '../archiving.errors';
import { HistoryReplay } from '../../../mailbox/index/history-replay';
import { WholeListings } from '../../../mailbox/index/whole-listings';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { MailboxProviders } from '../../../providers/port/mailbox-provider.port';
import { LedgerService } from '../ledger/ledger.service';
import { ProviderTotals } from './provider-totals';
import { ReconcileMailboxRun } from './reconcile-mailbox.run';

/** Empty: the account is the job's own. */
export class ReconcileMailboxPayload {}

export const ReconcileMailbox = defineJob('reconcile_mailbox', {
  queue: JobQueue.Index,
  payload: ReconcileMailboxPayload,
  // A failed job is tried again, and an event tells of a state that lasts.
  notifies: 'never',
});

/** Compares a ledger with its mailbox; see `ReconcileMailboxRun`. */
@Injectable()
@HandlesJob(ReconcileMailbox)
export class ReconcileMailboxHandler implements JobHandler<ReconcileMailboxPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly listings: WholeListings,
    private readonly replay: HistoryReplay,
    private readonly ledger: LedgerService,
    private readonly totals: ProviderTotals,
    private readonly review: CopyReviewService,
  ) {}

  async run(_payload: ReconcileMailboxPayload, job: JobContext): Promise<JobResult> {
    // The account has been deleted since the job was started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    if (!(await this.review.reviewSome(account, job.signal))) throw new CopiesUnderReview();
    const { index, listings, replay, ledger, totals } = this;
    const provider = this.providers.forAccount(account);
    const services = { provider, index, listings, replay, ledger, totals };
    return { ...(await new ReconcileMailboxRun(account, job, services).run()) };
  }
}
