import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { LabelsModule } from '../../mailbox/labels/labels.module';
import { EventsModule } from '../../platform/events/events.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { CopyReviewModule } from '../copy-review/copy-review.module';
import { IntegrityModule } from '../integrity/integrity.module';
import { LedgerModule } from './ledger/ledger.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ArchivingController } from './archiving.controller';
import { CoverageController } from './coverage/coverage.controller';
import { CoverageService } from './coverage/coverage.service';
import { CoverageRepository } from './ledger/coverage.repository';
import { ArchivingSettingsRepository } from './settings/archiving-settings.repository';
import { MailboxWatcher } from './watching/mailbox-watcher';
import { WatchMailboxesCron } from './watching/watch-mailboxes.cron';
import { RetentionModule } from '../../archive/retention/retention.module';
import { CopyJobs } from './copying/copy-jobs';
import { KeepCopiesCron } from './copying/keep-copies.cron';
import { KeepCopiesHandler } from './copying/keep-copies.job';
import { ContinuousArchiver } from './copying/continuous-archiver';
import { MessageCopier } from './copying/message-copier';
import { ArchivingHealthCron } from './health/archiving-health.cron';
import { ArchivingHealthService } from './health/archiving-health.service';
import { ArchivingMetrics } from './health/archiving-metrics';
import { MailboxCheck } from './reconciling/mailbox-check';
import { MailboxTotalsCron } from './reconciling/mailbox-totals.cron';
import { ProviderTotals } from './reconciling/provider-totals';
import { ReconcileJobs } from './reconciling/reconcile-jobs';
import { ReconcileMailboxHandler } from './reconciling/reconcile-mailbox.job';
import { ArchivingSettingsService } from './archiving-settings.service';

/** Copies each message of a mailbox into its archive as it arrives, and says when it cannot. */
@Module({
  imports: [
    JobsModule,
    EventsModule,
    MailboxAccountsModule,
    LabelsModule,
    MailsModule,
    RetentionModule,
    CopyReviewModule,
    IntegrityModule,
    LedgerModule,
    ProvidersModule,
    MessageIndexModule,
  ],
  controllers: [ArchivingController, CoverageController],
  providers: [
    ArchivingHealthCron,
    ArchivingHealthService,
    ArchivingMetrics,
    ArchivingSettingsRepository,
    ArchivingSettingsService,
    CopyJobs,
    KeepCopiesCron,
    KeepCopiesHandler,
    ContinuousArchiver,
    CoverageRepository,
    CoverageService,
    MailboxWatcher,
    WatchMailboxesCron,
    MailboxCheck,
    MailboxTotalsCron,
    MessageCopier,
    ProviderTotals,
    ReconcileJobs,
    ReconcileMailboxHandler,
  ],
})
export class ContinuousArchivingModule {}
