import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { EncryptionModule } from '../encryption/encryption.module';
import { ExportMailReader } from './export-mail-reader';
import { ExportMboxController } from './export-mbox.controller';
import { ExportController } from './export.controller';
import { ExportsRepository } from './exports.repository';
import { MailExportsService } from './mail-exports.service';

/** Archived mails as ZIP and mbox files. */
@Module({
  imports: [ArchiveModule, EncryptionModule],
  controllers: [ExportController, ExportMboxController],
  providers: [ExportMailReader, ExportsRepository, MailExportsService],
})
export class ExportModule {}
