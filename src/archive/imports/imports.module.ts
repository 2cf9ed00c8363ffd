import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../mails/mails.module';
import { ArrivalsModule } from '../../platform/arrivals/arrivals.module';
import { ImapImportsService } from './imap/imap-imports.service';
import { ImportImapHandler } from './imap/import-imap.job';
import { ImportUploadsCron } from './import-uploads.cron';
import { ImportUploadsRepository } from './import-uploads.repository';
import { ImportUploadsService } from './import-uploads.service';
import { ImportWriter } from './import-writer';
import { ImportsController } from './imports.controller';
import { ImportMboxHandler } from './files/import-mbox.job';
import { PlacedImportsModule } from './in-place/placed-imports.module';
import { ChunkReceiver } from './resumable/chunk-receiver';
import { OutlookRebuilder } from './outlook/outlook-rebuilder';
import { ResumableUploadsController } from './resumable/resumable-uploads.controller';
import { ResumableUploadsRepository } from './resumable/resumable-uploads.repository';
import { ResumableUploadsService } from './resumable/resumable-uploads.service';
import { ImportThreadsRepository } from './threading/import-threads.repository';
import { ImportThreadsService } from './threading/import-threads.service';
import { UploadAllowancesService } from './upload-allowances.service';
import { UploadDirectory } from './upload-directory';
import { UploadReceiver } from './upload-receiver';
import { WatchedFolderCron } from './watched/watched-folder.cron';
import { WatchedFolderService } from './watched/watched-folder.service';
import { ProvidersModule } from '../../providers/providers.module';
import { UsersModule } from '../../identity/users/users.module';

@Module({
  imports: [
    JobsModule,
    MailboxAccountsModule,
    MailsModule,
    ArrivalsModule,
    PlacedImportsModule,
    ProvidersModule,
    UsersModule,
  ],
  controllers: [ImportsController, ResumableUploadsController],
  providers: [
    ImportWriter,
    ImportThreadsService,
    ImportThreadsRepository,
    ImportMboxHandler,
    OutlookRebuilder,
    ImportUploadsService,
    ImportUploadsRepository,
    ImportUploadsCron,
    WatchedFolderService,
    WatchedFolderCron,
    UploadAllowancesService,
    UploadDirectory,
    UploadReceiver,
    ResumableUploadsService,
    ResumableUploadsRepository,
    ChunkReceiver,
    ImapImportsService,
    ImportImapHandler,
  ],
  exports: [ImportUploadsService, ImportWriter],
})
export class ImportsModule {}
