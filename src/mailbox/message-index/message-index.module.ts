import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { ProvidersModule } from '../providers/providers.module';
import { HistoryFollower } from './history-follower';
import { IndexLock } from './index-lock';
import { MessageIndexRepository } from './message-index.repository';
import { MessageIndexService } from './message-index.service';
import { IndexedMailbox } from './reads/indexed-mailbox.service';
import { IndexedMessagesRepository } from './reads/indexed-messages.repository';

@Module({
  imports: [MailboxAccountsModule, ProvidersModule],
  providers: [
    HistoryFollower,
    IndexLock,
    MessageIndexRepository,
    MessageIndexService,
    IndexedMailbox,
    IndexedMessagesRepository,
  ],
  exports: [MessageIndexService, IndexedMailbox],
})
export class MessageIndexModule {}
