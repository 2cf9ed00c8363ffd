import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { PolicyLabels } from './policy-labels';
import { PolicyRunner } from './policy-runner';
import { RetentionPoliciesRepository, RetentionRunsRepository } from './retention-policies.repository';
import { RetentionPoliciesService } from './retention-policies.service';
import { RetentionNights, RetentionPreviews, RetentionRunsService } from './retention-runs.service';
import { RetentionController } from './retention.controller';
import { RetentionCron } from './retention.cron';
import { NightlyRetention, RunRetentionHandler } from './run-retention.job';

/** How long archived mail is kept. */
@Module({
  imports: [ArchiveModule, MailProviderModule],
  controllers: [RetentionController],
  providers: [
    NightlyRetention,
    PolicyRunner,
    RetentionCron,
    PolicyLabels,
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
