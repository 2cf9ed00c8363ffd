import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { EventsModule } from '../../platform/events/events.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { BulkModule } from '../../mailbox/bulk/bulk.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { RuleActions } from './rule-actions';
import { RuleChoice } from './rule-choice';
import { RuleLabels } from './rule-labels';
import { RuleMatchesRepository } from './rule-matches.repository';
import { RulePreviewsService } from './rule-previews.service';
import { RuleRunsCron } from './rule-runs.cron';
import { RuleRunsService } from './rule-runs.service';
import { RulesController, RuleTemplatesController } from './rules.controller';
import { RulesRepository } from './rules.repository';
import { RulesService } from './rules.service';
import { RunRuleHandler } from './run-rule.job';

/** Rules: conditions on messages and an action, run on demand or on a schedule. */
@Module({
  imports: [
    JobsModule,
    EventsModule,
    MailboxAccountsModule,
    MailsModule,
    BulkModule,
    ProvidersModule,
    MessageIndexModule,
  ],
  // RuleTemplatesController comes first: `templates` would be taken for an account id otherwise.
  controllers: [RuleTemplatesController, RulesController],
  providers: [
    RuleActions,
    RuleChoice,
    RuleLabels,
    RuleMatchesRepository,
    RulePreviewsService,
    RuleRunsCron,
    RuleRunsService,
    RulesRepository,
    RulesService,
    RunRuleHandler,
  ],
  exports: [RuleChoice],
})
export class RulesModule {}
