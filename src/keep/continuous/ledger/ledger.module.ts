import { Global, Module } from '@nestjs/common';
import { MailsModule } from '../../../archive/mails/mails.module';
import { HistoryListener } from '../../../mailbox/index/history-listener.port';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';
import { CoverageRepository } from './coverage.repository';
import { LedgerHistory } from './ledger-history';
import { LedgerMetrics } from './ledger-metrics';
import { LedgerRepository } from './ledger.repository';
import { LedgerService } from './ledger.service';

/** Global: it implements a port of `mailbox/index`. */
@Global()
@Module({
  imports: [MailsModule],
  providers: [
    ArchivingSettingsRepository,
    CoverageRepository,
    LedgerMetrics,
    LedgerRepository,
    LedgerService,
    { provide: HistoryListener, useClass: LedgerHistory },
  ],
  exports: [ArchivingSettingsRepository, CoverageRepository, HistoryListener, LedgerService],
})
export class LedgerModule {}
