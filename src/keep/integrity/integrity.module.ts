import { Module } from '@nestjs/common';
import { LedgerModule } from '../continuous/ledger/ledger.module';
import { EventsModule } from '../../platform/events/events.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { BucketsModule } from '../../archive/buckets/buckets.module';
import { AccountCheck } from './account-check';
import { ArchiveIntegrityController } from './archive-integrity.controller';
import { ArchiveIntegrityService } from './archive-integrity.service';
import { ArchiveFolders } from './archive-folders';
import { ArchiveUsers } from './archive-users';
import { CheckIntegrityHandler } from './check-integrity.job';
import { CopyCheck } from './copy-check';
import { FileVerifier } from './file-verifier';
import { IntegrityChecksService } from './integrity-checks.service';
import { IntegrityDaysRepository } from './integrity-days.repository';
import { IntegrityFindingsRepository } from './integrity-findings.repository';
import { IntegrityFindingsService } from './integrity-findings.service';
import { IntegrityStatesRepository } from './integrity-states.repository';
import { IntegrityTimings } from './integrity-timings';
import { IntegrityController } from './integrity.controller';
import { IntegrityCron } from './integrity.cron';
import { OrphanFilesService } from './orphan-files.service';

/** Re-hashes archived files, and deletes files that no mail names. */
@Module({
  imports: [JobsModule, EventsModule, LedgerModule, MailsModule, BucketsModule],
  controllers: [ArchiveIntegrityController, IntegrityController],
  providers: [
    IntegrityChecksService,
    IntegrityCron,
    IntegrityTimings,
    CheckIntegrityHandler,
    AccountCheck,
    FileVerifier,
    ArchiveIntegrityService,
    IntegrityDaysRepository,
    IntegrityFindingsService,
    IntegrityFindingsRepository,
    IntegrityStatesRepository,
    ArchiveFolders,
    ArchiveUsers,
    OrphanFilesService,
    CopyCheck,
  ],
  exports: [CopyCheck, IntegrityFindingsService],
})
export class IntegrityModule {}
