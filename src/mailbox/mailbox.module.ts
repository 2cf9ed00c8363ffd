import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from './accounts/mailbox-accounts.module';
import { BulkOperationHandler } from './bulk/bulk-operation.job';
import { BulkRuns } from './bulk/bulk-runs';
import { BulkController } from './bulk/bulk.controller';
import { BulkService } from './bulk/bulk.service';
import { OutcomeCheck } from './bulk/outcome-check';
import { LabelsController } from './labels/labels.controller';
import { LabelsService } from './labels/labels.service';
import { MessageIndexModule } from './message-index/message-index.module';
import { MessagesController } from './messages/messages.controller';
import { MessagesService } from './messages/messages.service';
import { ProvidersModule } from './providers/providers.module';

/** Reading and changing live mailboxes. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [MessagesController, BulkController, LabelsController],
  providers: [MessagesService, LabelsService, BulkService, BulkRuns, OutcomeCheck, BulkOperationHandler],
  exports: [BulkRuns],
})
export class MailboxModule {}
