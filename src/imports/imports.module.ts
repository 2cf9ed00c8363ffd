import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ImapImporter } from './imap/imap-importer';
import { ImapImportsController } from './imap/imap-imports.controller';
import { ImapImportsService } from './imap/imap-imports.service';
import { ImportImapHandler } from './imap/import-imap.job';
import { ImportsController } from './imports.controller';
import { ArchiveMessageIntake } from './intake/archive-message-intake';
import { ImportedMailsRepository } from './intake/imported-mails.repository';
import { MessageIntake } from './intake/message-intake.port';
import { ImportMboxController } from './mbox/import-mbox.controller';
import { ImportMboxHandler } from './mbox/import-mbox.job';
import { MboxImporter } from './mbox/mbox-importer';
import { ImportThreads } from './threading/import-threads.port';
import { ImportThreadsRepository } from './threading/import-threads.repository';
import { ImportThreadsService } from './threading/import-threads.service';
import { ImportUploadsCron } from './uploads/import-uploads.cron';
import { ImportUploadsRepository } from './uploads/import-uploads.repository';
import { ImportUploads } from './uploads/import-uploads.service';
import { UploadDirectory } from './uploads/upload-directory';
import { UploadReceiver } from './uploads/upload-receiver';

@Module({
  imports: [ArchiveModule, MailboxAccountsModule],
  controllers: [ImportsController, ImportMboxController, ImapImportsController],
  providers: [
    { provide: MessageIntake, useClass: ArchiveMessageIntake },
    ImportedMailsRepository,
    { provide: ImportThreads, useClass: ImportThreadsService },
    ImportThreadsRepository,
    ImportMboxHandler,
    MboxImporter,
    ImportUploads,
    ImportUploadsRepository,
    ImportUploadsCron,
    UploadDirectory,
    UploadReceiver,
    ImapImporter,
    ImapImportsService,
    ImportImapHandler,
  ],
  exports: [ImportUploads],
})
export class ImportsModule {}
