import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../index/message-index.module';
import { SelectionsModule } from '../selections/selections.module';
import { BulkOperationHandler } from './bulk-operation.job';
import { BulkRunner } from './bulk-run';
import { BulkController } from './bulk.controller';
import { BulkService } from './bulk.service';
import { ChangeJournalRepository } from './change-journal.repository';
import { DoubtfulChanges } from './doubtful-changes';
import { OutcomeCheck } from './outcome-check';
import { UndoChangesHandler } from './undo-changes.job';
import { UndoRunner } from './undo-runner';
import { UndoController } from './undo.controller';
import { UndoCron } from './undo.cron';
import { UndoService } from './undo.service';

/** Changes many messages of a mailbox at once, and undoes such changes. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, ProvidersModule, MessageIndexModule, SelectionsModule],
  controllers: [BulkController, UndoController],
  providers: [
    BulkService,
    BulkRunner,
    OutcomeCheck,
    BulkOperationHandler,
    ChangeJournalRepository,
    DoubtfulChanges,
    UndoService,
    UndoRunner,
    UndoChangesHandler,
    UndoCron,
  ],
  exports: [BulkRunner, UndoService],
})
export class BulkModule {}
