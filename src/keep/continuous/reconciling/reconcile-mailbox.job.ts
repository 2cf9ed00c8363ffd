import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import { CopyReviewService } from '../../copy-review/copy-review.service';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { HandlesJob, type JobHandler, type JobResult } from '../../../platform/jobs/job-definition';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { CopiesUnderReview } from '../archiving.errors';
import { MailboxReconciler } from './mailbox-reconciler';
import { ReconcileMailbox, ReconcileMailboxPayload } from './reconcile-jobs';

/** Compares a ledger with its mailbox; see `MailboxReconciler`. */
@Injectable()
@HandlesJob(ReconcileMailbox)
export class ReconcileMailboxHandler implements JobHandler<ReconcileMailboxPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly reconciler: MailboxReconciler,
    private readonly review: CopyReviewService,
  ) {}

  async run(_payload: ReconcileMailboxPayload, job: JobContext): Promise<JobResult> {
    // The account has been deleted since the job was started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    if (!(await this.review.reviewSome(account, job.signal))) throw new CopiesUnderReview();
    return { ...(await this.reconciler.reconcile(account, job)) };
  }
}
