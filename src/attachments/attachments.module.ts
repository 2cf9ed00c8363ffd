import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { AttachmentsController } from './attachments.controller';
import { LiveAttachmentsService } from './live-attachments.service';

/** Attachments across a mailbox. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [AttachmentsController],
  providers: [LiveAttachmentsService],
})
export class AttachmentsModule {}
