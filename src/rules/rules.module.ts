import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { RuleLabels } from './query/rule-labels.service';
import { RulesRepository } from './rules.repository';

/** Rules: what to do with which messages, by hand or by schedule. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  providers: [RulesRepository, RuleLabels],
})
export class RulesModule {}
