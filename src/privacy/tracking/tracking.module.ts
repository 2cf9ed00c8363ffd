import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../archive/archive.module';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../../mailbox/message-index/message-index.module';
import { ProvidersModule } from '../../mailbox/providers/providers.module';
import { ArchivedBodiesRepository } from './jobs/archived-bodies.repository';
import { MessageBodies } from './jobs/message-bodies';
import { ScanTrackingHandler } from './jobs/scan-tracking.job';
import { TrackerReader } from './jobs/tracker-reader';
import { TrackingScanner } from './jobs/tracking-scanner';
import { TrackingScansRepository } from './tracking-scans.repository';
import { TrackingController } from './tracking.controller';
import { TrackingService } from './tracking.service';

/** Who is told when mail is opened and where its links were clicked. */
@Module({
  imports: [ArchiveModule, MailboxAccountsModule, MessageIndexModule, ProvidersModule],
  controllers: [TrackingController],
  providers: [
    TrackingService,
    TrackingScansRepository,
    TrackingScanner,
    TrackerReader,
    MessageBodies,
    ArchivedBodiesRepository,
    ScanTrackingHandler,
  ],
})
export class TrackingModule {}
