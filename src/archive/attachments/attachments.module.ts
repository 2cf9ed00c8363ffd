import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ProvidersModule } from '../../providers/providers.module';
import { ArchivedAttachmentsRepository } from './archived-attachments.repository';
import { ArchivedAttachmentsService } from './archived-attachments.service';
import { AttachmentsController } from './attachments.controller';
import { LiveAttachmentsService } from './live-attachments.service';

/** Attachments across a mailbox, and across its archive. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [AttachmentsController],
  providers: [LiveAttachmentsService, ArchivedAttachmentsService, ArchivedAttachmentsRepository],
})
export class AttachmentsModule {}
