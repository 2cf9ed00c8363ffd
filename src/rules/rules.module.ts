import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { RulePreviews } from './preview/rule-previews.service';
import { RuleLabels } from './query/rule-labels.service';
import { RulesController } from './rules.controller';
import { RulesRepository } from './rules.repository';
import { RulesService } from './rules.service';
import { RuleRunsModule } from './run/rule-runs.module';
import { RuleTemplatesController } from './templates/rule-templates.controller';

/** Rules: what to do with which messages, by hand or by schedule. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule, RuleRunsModule],
  // Templates first: `templates` would be taken for an account id otherwise.
  controllers: [RuleTemplatesController, RulesController],
  providers: [RulesRepository, RuleLabels, RulesService, RulePreviews],
})
export class RulesModule {}
