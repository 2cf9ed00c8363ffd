import { Module } from '@nestjs/common';
import { BulkModule } from './bulk/bulk.module';
import { MailboxConnectModule } from './connect/mailbox-connect.module';
import { LiveUpdatesModule } from './live-updates/live-updates.module';
import { MailboxAccountsModule } from './accounts/mailbox-accounts.module';
import { LabelsModule } from './labels/labels.module';
import { MessagesModule } from './messages/messages.module';
import { SavedSearchesModule } from './saved-searches/saved-searches.module';
import { SelectionsModule } from './selections/selections.module';

/** The features of `mailbox`, i.e. of live mailboxes: accounts, messages, labels, the message index and bulk changes. */
@Module({
  imports: [
    MailboxAccountsModule,
    MessagesModule,
    LabelsModule,
    LiveUpdatesModule,
    MailboxConnectModule,
    SelectionsModule,
    BulkModule,
    SavedSearchesModule,
  ],
})
export class MailboxModule {}
