import { Module } from '@nestjs/common';
import { LabelsModule } from '../../mailbox/labels/labels.module';
import { AccessModule } from '../../platform/access/access.module';
import { MailsModule } from '../mails/mails.module';
import { EncryptionModule } from '../passphrases/encryption.module';
import { UsersModule } from '../../identity/users/users.module';
import { ExportedMailPages } from './exported-mail-pages';
import { ExportMailReader } from './export-mail-reader';
import { ExportMboxController } from './export-mbox.controller';
import { ExportController } from './export.controller';
import { ExportThreads } from './export-threads';
import { PreparedExportsController } from './prepared/prepared-exports.controller';
import { PreparedExportsCron } from './prepared/prepared-exports.cron';
import { PreparedExportsRepository } from './prepared/prepared-exports.repository';
import { PreparedExportsService } from './prepared/prepared-exports.service';
import { MailboxExportsService } from './mailbox/mailbox-exports.service';
import { MailExportsService } from './mail-exports.service';
import { ZipThread } from './zip-thread';

/** Archived mails as ZIP and mbox files. */
@Module({
  imports: [AccessModule, LabelsModule, MailsModule, EncryptionModule, UsersModule],
  controllers: [ExportController, ExportMboxController, PreparedExportsController],
  providers: [
    ExportedMailPages,
    ExportMailReader,
    ExportThreads,
    ZipThread,
    MailExportsService,
    MailboxExportsService,
    PreparedExportsService,
    PreparedExportsRepository,
    PreparedExportsCron,
  ],
})
export class ExportModule {}
