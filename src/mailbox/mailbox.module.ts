import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from './mailbox-accounts.module';
import { BulkOperationHandler } from '../bulk/bulk-operation.job';
import { BulkRunner } from '../bulk/bulk-run';
import { BulkController } from '../bulk/bulk.controller';
import { BulkService } from '../bulk/bulk.service';
import { OutcomeCheck } from '../bulk/outcome-check';
import { LabelsController } from './labels.controller';
import { LabelsService } from './labels.service';
import { MessageIndexModule } from '../message-index/message-index.module';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { MailProviderModule } from '../mail-provider/mail-provider.module';

/** Reading and changing live mailboxes. */
@Module({
  imports: [MailboxAccountsModule, MailProviderModule, MessageIndexModule],
  controllers: [MessagesController, BulkController, LabelsController],
  providers: [MessagesService, LabelsService, BulkService, BulkRunner, OutcomeCheck, BulkOperationHandler],
  exports: [BulkRunner],
})
export class MailboxModule {}
