import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageBodies } from './message-bodies';
import { ScanTrackingHandler } from './scan-tracking.job';
import { TrackerReader } from './tracker-reader';
import { TrackingScansRepository } from './tracking-scans.repository';
import { TrackingController } from './tracking.controller';
import { TrackingService } from './tracking.service';

/** Trackers in mail: images that report that it was opened, links that report clicks. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, MailsModule, MessageIndexModule, ProvidersModule],
  controllers: [TrackingController],
  providers: [TrackingService, TrackingScansRepository, TrackerReader, MessageBodies, ScanTrackingHandler],
  exports: [TrackingService],
})
export class TrackingModule {}
