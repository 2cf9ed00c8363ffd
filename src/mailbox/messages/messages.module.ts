import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/access/access.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { ContainedPartDecoder } from './contained-part-decoder';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';

/** Messages of connected mailboxes. */
@Module({
  imports: [AccessModule, MailboxAccountsModule, ProvidersModule],
  controllers: [MessagesController],
  providers: [MessagesService, ContainedPartDecoder],
})
export class MessagesModule {}
