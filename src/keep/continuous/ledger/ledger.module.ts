import { Module } from '@nestjs/common';
import { MailsModule } from '../../../archive/mails/mails.module';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';
import { CoverageRepository } from './coverage.repository';
import { LedgerHistory } from './ledger-history';
import { LedgerMetrics } from './ledger-metrics';
import { LedgerRepository } from './ledger.repository';
import { LedgerService } from './ledger.service';

/** The ledger: which message of a mailbox has a copy, and which is excluded. */
@Module({
  imports: [MailsModule],
  providers: [
    ArchivingSettingsRepository,
    CoverageRepository,
    LedgerHistory,
    LedgerMetrics,
    LedgerRepository,
    LedgerService,
  ],
  exports: [LedgerHistory, LedgerService],
})
export class LedgerModule {}
