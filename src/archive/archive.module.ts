import { Module } from '@nestjs/common';
import { AttachmentsModule } from './attachments/attachments.module';
import { StorageModule } from './buckets/storage.module';
import { ExportModule } from './export/export.module';
import { ImportsModule } from './imports/imports.module';
import { JournalModule } from './journal/journal.module';
import { MailsModule } from './mails/mails.module';
import { RetentionModule } from './retention/retention.module';
import { SearchModule } from './search/search.module';

/** The features of `archive`: archived mail: files, rows, search, export, import, retention. */
@Module({
  imports: [
    MailsModule,
    ExportModule,
    StorageModule,
    ImportsModule,
    JournalModule,
    RetentionModule,
    AttachmentsModule,
    SearchModule,
  ],
})
export class ArchiveModule {}
