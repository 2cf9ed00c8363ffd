import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { ArchivedLabelsRepository } from './labels/archived-labels.repository';
import { RetentionLabels } from './labels/retention-labels.service';
import { RetentionPreviews } from './preview/retention-previews.service';
import { RetentionPoliciesRepository } from './retention-policies.repository';
import { RetentionPolicies } from './retention-policies.service';
import { RetentionController } from './retention.controller';
import { DoomedMailsRepository } from './run/doomed-mails.repository';
import { NightlyRetention } from './run/nightly-retention.service';
import { PolicyRunner } from './run/policy-runner.service';
import { RetentionNights } from './run/retention-nights.service';
import { RetentionRunsRepository } from './run/retention-runs.repository';
import { RetentionRuns } from './run/retention-runs.service';
import { RetentionCron } from './run/retention.cron';
import { RunRetentionHandler } from './run/run-retention.job';

/** How long archived mail is kept. */
@Module({
  imports: [ArchiveModule, MailboxAccountsModule, ProvidersModule],
  controllers: [RetentionController],
  providers: [
    ArchivedLabelsRepository,
    DoomedMailsRepository,
    NightlyRetention,
    PolicyRunner,
    RetentionCron,
    RetentionLabels,
    RetentionNights,
    RetentionPolicies,
    RetentionPoliciesRepository,
    RetentionPreviews,
    RetentionRuns,
    RetentionRunsRepository,
    RunRetentionHandler,
  ],
})
export class RetentionModule {}
