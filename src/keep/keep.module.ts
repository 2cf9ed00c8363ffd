import { Module } from '@nestjs/common';
import { ContinuousArchivingModule } from './continuous/continuous-archiving.module';
import { LedgerModule } from './continuous/ledger/ledger.module';
import { IntegrityModule } from './integrity/integrity.module';
import { OffloadModule } from './offload/offload.module';
import { RestoreModule } from './restore/restore.module';

/** The features of `keep`: continuous archiving with its ledger, integrity, restore and offload. */
@Module({
  imports: [LedgerModule, ContinuousArchivingModule, RestoreModule, IntegrityModule, OffloadModule],
})
export class KeepModule {}
