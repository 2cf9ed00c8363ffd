import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { ArrivalsModule } from '../../platform/arrivals/arrivals.module';
import { ImportsModule } from '../imports/imports.module';
import { JournalAddressesRepository } from './journal-addresses.repository';
import { JournalAddressesService } from './journal-addresses.service';
import { JournalBatches } from './journal-batches';
import { JournalFigures } from './journal-figures';
import { JournalIntake } from './journal-intake';
import { JournalController } from './journal.controller';
import { ReportReader } from './report/report-reader';
import { JournalListener } from './smtp/journal-listener';

/** Mail that mail servers copy to accounts by SMTP. */
@Module({
  imports: [ArrivalsModule, ImportsModule, MailboxAccountsModule],
  controllers: [JournalController],
  providers: [
    JournalAddressesRepository,
    JournalAddressesService,
    JournalBatches,
    JournalFigures,
    JournalIntake,
    JournalListener,
    ReportReader,
  ],
})
export class JournalModule {}
