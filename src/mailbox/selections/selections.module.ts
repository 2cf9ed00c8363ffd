import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../index/message-index.module';
import { SelectionFinder } from './selection-finder';
import { SelectionsController } from './selections.controller';
import { SelectionsCron } from './selections.cron';
import { SelectionsRepository } from './selections.repository';
import { SelectionsService } from './selections.service';

/** Selections: messages that a query found, frozen for a change that a user confirms. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [SelectionsController],
  providers: [SelectionFinder, SelectionsService, SelectionsRepository, SelectionsCron],
  exports: [SelectionsService],
})
export class SelectionsModule {}
