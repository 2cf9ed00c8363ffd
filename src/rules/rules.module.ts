import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { MessageIndexModule } from '../message-index/message-index.module';
import { RuleLabels } from './rule-labels';
import { RulePreviewsService } from './rule-previews.service';
import { RuleRunsModule } from './rule-runs.module';
import { RulesController, RuleTemplatesController } from './rules.controller';
import { RulesRepository } from './rules.repository';
import { RulesService } from './rules.service';

/** Rules: what to do with which messages, by hand or by schedule. */
@Module({
  imports: [MailboxAccountsModule, MailProviderModule, MessageIndexModule, RuleRunsModule],
  // Templates first: `templates` would be taken for an account id otherwise.
  controllers: [RuleTemplatesController, RulesController],
  providers: [RulesRepository, RuleLabels, RulesService, RulePreviewsService],
})
export class RulesModule {}
