import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { IntegrityModule } from '../integrity/integrity.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { CopyReviewCron } from './copy-review.cron';
import { CopyReviewService } from './copy-review.service';
import { CopyReviewsRepository } from './copy-reviews.repository';

/** Finds copies that an earlier version archived incomplete or under the wrong id, and fetches them anew. */
@Module({
  imports: [ArchiveModule, IntegrityModule, MailProviderModule],
  providers: [CopyReviewCron, CopyReviewService, CopyReviewsRepository],
  exports: [CopyReviewService],
})
export class CopyReviewModule {}
