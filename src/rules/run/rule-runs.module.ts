import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../archive/archive.module';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { MailboxModule } from '../../mailbox/mailbox.module';
import { MessageIndexModule } from '../../mailbox/message-index/message-index.module';
import { ProvidersModule } from '../../mailbox/providers/providers.module';
import { NotificationsModule } from '../../notifications/notifications.module';
import { RuleLabels } from '../query/rule-labels.service';
import { RulesRepository } from '../rules.repository';
import { RuleActions } from './rule-actions.service';
import { RuleMatchesRepository } from './rule-matches.repository';
import { RuleRunner } from './rule-runner.service';
import { RuleRunsController } from './rule-runs.controller';
import { RuleRunsCron } from './rule-runs.cron';
import { RuleRunsRepository } from './rule-runs.repository';
import { RuleRunsService } from './rule-runs.service';
import { RunRuleHandler } from './run-rule.job';

/** Doing what rules say, by hand and on schedule. */
@Module({
  imports: [
    ArchiveModule,
    MailboxAccountsModule,
    MailboxModule,
    MessageIndexModule,
    NotificationsModule,
    ProvidersModule,
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
