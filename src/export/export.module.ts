import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { EncryptionModule } from '../encryption/encryption.module';
import { ExportedMailPages } from './exported-mail-pages';
import { ExportMailReader } from './export-mail-reader';
import { ExportMboxController } from './export-mbox.controller';
import { ExportController } from './export.controller';
import { MailExportsService } from './mail-exports.service';

/** Archived mails as ZIP and mbox files. */
@Module({
  imports: [ArchiveModule, EncryptionModule],
  controllers: [ExportController, ExportMboxController],
  providers: [ExportedMailPages, ExportMailReader, MailExportsService],
})
export class ExportModule {}
