import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../mailbox/accounts/account-maintenance';
import { CopyReviewService } from './copy-review.service';

/** Least pause between two steps of one account, also after a failure. */
const EVERY_SECONDS = 10;
/** Pause after the review of an account is finished: 30 days, in seconds. */
const REST = { dueAgainInSeconds: 30 * 86_400 };

/** Reviews copies of IMAP mailboxes that were made by an earlier version. */
@Injectable()
export class CopyReviewCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly review: CopyReviewService,
  ) {}

  @Cron('*/30 * * * * *', { name: 'review-copies', waitForCompletion: true })
  async reviewDue(): Promise<void> {
    await this.maintenance.performDue({
      name: 'review_copies',
      everySeconds: EVERY_SECONDS,
      perform: async (account, signal) =>
        (await this.review.reviewSome(account, signal)) ? REST : undefined,
    });
  }
}
