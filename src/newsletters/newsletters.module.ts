import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';

/** Newsletters of a live mailbox. */
@Module({ imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule] })
export class NewslettersModule {}
