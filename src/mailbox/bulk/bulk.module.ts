import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../index/message-index.module';
import { SelectionsModule } from '../selections/selections.module';
import { BulkChanger } from './bulk-changer';
import { BulkOperationHandler } from './bulk-operation.job';
import { BulkController } from './bulk.controller';
import { BulkService } from './bulk.service';
import { ChangeJournalRepository } from './change-journal.repository';
import { DoubtfulChanges } from './doubtful-changes';
import { OutcomeCheck } from './outcome-check';
import { UndoChangesHandler } from './undo-changes.job';
import { UndoController } from './undo.controller';
import { UndoCron } from './undo.cron';
import { UndoService } from './undo.service';

/** Changes many messages of a mailbox at once, and undoes such changes. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, ProvidersModule, MessageIndexModule, SelectionsModule],
  controllers: [BulkController, UndoController],
  providers: [
    BulkService,
    BulkChanger,
    OutcomeCheck,
    BulkOperationHandler,
    ChangeJournalRepository,
    DoubtfulChanges,
    UndoService,
    UndoChangesHandler,
    UndoCron,
  ],
  exports: [BulkChanger, UndoService],
})
export class BulkModule {}
