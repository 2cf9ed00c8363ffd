import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { MailboxModule } from '../mailbox/mailbox.module';
import { MessageIndexModule } from '../message-index/message-index.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RuleActions } from './rule-actions';
import { RuleLabels } from './rule-labels';
import { RuleMatchesRepository } from './rule-matches.repository';
import { RuleRunner } from './rule-runner';
import { RuleRunsCron } from './rule-runs.cron';
import { RuleRunsService } from './rule-runs.service';
import { RuleRunsController } from './rules.controller';
import { RuleRunsRepository, RulesRepository } from './rules.repository';
import { RunRuleHandler } from './run-rule.job';

/** Doing what rules say, by hand and on schedule. */
@Module({
  imports: [
    ArchiveModule,
    MailboxAccountsModule,
    MailboxModule,
    MessageIndexModule,
    NotificationsModule,
    MailProviderModule,
  ],
  controllers: [RuleRunsController],
  providers: [
    RuleActions,
    RuleLabels,
    RuleMatchesRepository,
    RuleRunner,
    RuleRunsCron,
    RuleRunsRepository,
    RuleRunsService,
    RulesRepository,
    RunRuleHandler,
  ],
  exports: [RuleRunsService],
})
export class RuleRunsModule {}
