import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { AccountCheck } from './account-check';
import { ArchiveFolders } from './archive-folders';
import { CheckIntegrityHandler } from './check-integrity.job';
import { FileVerifier } from './file-verifier';
import { IntegrityChecksService } from './integrity-checks.service';
import { IntegrityFindingsRepository } from './integrity-findings.repository';
import { IntegrityFindingsService } from './integrity-findings.service';
import { IntegrityTimings } from './integrity-run';
import { IntegrityRunner } from './integrity-runner';
import { IntegrityJobsRepository, IntegrityStatesRepository } from './integrity-states.repository';
import { IntegrityController } from './integrity.controller';
import { IntegrityCron } from './integrity.cron';
import { OrphanFilesService } from './orphan-files.service';
import { NamedFilesRepository, StoredMailsRepository } from './stored-mails.repository';

/** Whether the files of the archive are what was archived, and belong to it. */
@Module({
  imports: [ArchiveModule],
  controllers: [IntegrityController],
  providers: [
    IntegrityChecksService,
    IntegrityCron,
    IntegrityJobsRepository,
    IntegrityRunner,
    IntegrityTimings,
    CheckIntegrityHandler,
    AccountCheck,
    FileVerifier,
    IntegrityFindingsService,
    IntegrityFindingsRepository,
    IntegrityStatesRepository,
    StoredMailsRepository,
    ArchiveFolders,
    NamedFilesRepository,
    OrphanFilesService,
  ],
})
export class IntegrityModule {}
