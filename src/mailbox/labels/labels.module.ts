import { Module } from '@nestjs/common';
import { ProvidersModule } from '../../providers/providers.module';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { LabelNames } from './label-names';
import { LabelNamesRepository } from './label-names.repository';
import { LabelsController } from './labels.controller';
import { LabelsService } from './labels.service';

/** Labels of mailboxes, and the names of labels that are gone. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule],
  controllers: [LabelsController],
  providers: [LabelNames, LabelNamesRepository, LabelsService],
  exports: [LabelNames],
})
export class LabelsModule {}
