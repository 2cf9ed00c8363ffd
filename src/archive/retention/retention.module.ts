import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { LabelsModule } from '../../mailbox/labels/labels.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../mails/mails.module';
import { ProvidersModule } from '../../providers/providers.module';
import { UsersModule } from '../../identity/users/users.module';
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
  imports: [JobsModule, MailboxAccountsModule, LabelsModule, MailsModule, ProvidersModule, UsersModule],
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
