import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { UsersModule } from '../users/users.module';
import { PolicyLabels } from './policy-labels';
import { PolicyRunner } from './policy-runner';
import { RemovalForecast } from './removal-forecast';
import { RetentionPoliciesRepository } from './retention-policies.repository';
import { RetentionPoliciesService } from './retention-policies.service';
import { RetentionRunsService } from './retention-runs.service';
import { RetentionController } from './retention.controller';
import { RetentionCron } from './retention.cron';
import { RunRetentionHandler } from './run-retention.job';

/** Policies that delete archived mail after a time. */
@Module({
  imports: [ArchiveModule, MailProviderModule, UsersModule],
  controllers: [RetentionController],
  providers: [
    PolicyLabels,
    PolicyRunner,
    RemovalForecast,
    RetentionCron,
    RetentionPoliciesRepository,
    RetentionPoliciesService,
    RetentionRunsService,
    RunRetentionHandler,
  ],
  exports: [RemovalForecast],
})
export class RetentionModule {}
