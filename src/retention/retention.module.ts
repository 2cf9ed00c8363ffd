import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { ArchivedLabelsRepository } from '../archive/archived-mails.repository';
import { ExpiredMailsRepository } from '../archive/expired-mails.repository';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { RetentionLabels } from './policy-labels';
import { PolicyRunner } from './policy-runner';
import { RetentionPoliciesRepository, RetentionRunsRepository } from './retention-policies.repository';
import { RetentionPoliciesService } from './retention-policies.service';
import { RetentionNights, RetentionPreviews, RetentionRunsService } from './retention-runs.service';
import { RetentionController } from './retention.controller';
import { RetentionCron } from './retention.cron';
import { NightlyRetention, RunRetentionHandler } from './run-retention.job';

/** How long archived mail is kept. */
@Module({
  imports: [ArchiveModule, MailboxAccountsModule, MailProviderModule],
  controllers: [RetentionController],
  providers: [
    ArchivedLabelsRepository,
    ExpiredMailsRepository,
    NightlyRetention,
    PolicyRunner,
    RetentionCron,
    RetentionLabels,
    RetentionNights,
    RetentionPoliciesService,
    RetentionPoliciesRepository,
    RetentionPreviews,
    RetentionRunsService,
    RetentionRunsRepository,
    RunRetentionHandler,
  ],
})
export class RetentionModule {}
