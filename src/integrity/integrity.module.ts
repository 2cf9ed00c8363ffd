import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { AccountCheck } from './check/account-check.service';
import { FileReader } from './check/file-reader';
import { FindingsRepository } from './check/findings.repository';
import { Findings } from './check/findings.service';
import { RotationRepository } from './check/rotation.repository';
import { StoredMailsRepository } from './check/stored-mails.repository';
import { IntegrityChecks } from './integrity-checks.service';
import { IntegrityJobsRepository } from './integrity-jobs.repository';
import { IntegrityRunner } from './integrity-runner.service';
import { IntegrityTimings } from './integrity-timings';
import { IntegrityController } from './integrity.controller';
import { IntegrityCron } from './integrity.cron';
import { CheckIntegrityHandler } from './jobs/check-integrity.job';
import { ArchiveFolders } from './sweep/archive-folders';
import { NamedFilesRepository } from './sweep/named-files.repository';
import { OrphanSweeper } from './sweep/orphan-sweeper.service';

/** Whether the files of the archive are what was archived, and belong to it. */
@Module({
  imports: [ArchiveModule, NotificationsModule],
  controllers: [IntegrityController],
  providers: [
    IntegrityChecks,
    IntegrityCron,
    IntegrityJobsRepository,
    IntegrityRunner,
    IntegrityTimings,
    CheckIntegrityHandler,
    AccountCheck,
    FileReader,
    Findings,
    FindingsRepository,
    RotationRepository,
    StoredMailsRepository,
    ArchiveFolders,
    NamedFilesRepository,
    OrphanSweeper,
  ],
})
export class IntegrityModule {}
