import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MessageIndexModule } from '../message-index/message-index.module';
import { BulkOperationHandler } from './bulk-operation.job';
import { BulkRunner } from './bulk-run';
import { BulkController } from './bulk.controller';
import { BulkService } from './bulk.service';
import { OutcomeCheck } from './outcome-check';

/** Changes to many messages of a mailbox at a time. */
@Module({
  imports: [MailProviderModule, MessageIndexModule],
  controllers: [BulkController],
  providers: [BulkService, BulkRunner, OutcomeCheck, BulkOperationHandler],
  exports: [BulkRunner],
})
export class BulkModule {}
