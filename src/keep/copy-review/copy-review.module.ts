import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { IntegrityModule } from '../integrity/integrity.module';
import { ProvidersModule } from '../../providers/providers.module';
import { CopyReviewCron } from './copy-review.cron';
import { CopyReviewService } from './copy-review.service';
import { CopyReviewsRepository } from './copy-reviews.repository';

/** Finds copies that an earlier version archived incomplete or under the wrong id, and fetches them anew. */
@Module({
  imports: [MailboxAccountsModule, MailsModule, IntegrityModule, ProvidersModule],
  providers: [CopyReviewCron, CopyReviewService, CopyReviewsRepository],
  exports: [CopyReviewService],
})
export class CopyReviewModule {}
