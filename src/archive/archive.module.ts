import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { ArchivePurger } from './archive-purger.port';
import { EncryptionPassphrasesRepository } from './encryption/passphrases/encryption-passphrases.repository';
import { HashedPassphrases } from './encryption/passphrases/hashed-passphrases';
import { MailBytes } from './encryption/mail-bytes.port';
import { PassphraseAttempts } from './encryption/passphrases/passphrase-attempts';
import { Passphrases } from './encryption/passphrases/passphrases.port';
import { StoredMailBytes } from './encryption/stored-mail-bytes';
import { ArchiveEncrypter } from './encrypting/archive-encrypter';
import { EncryptedMailCommits } from './encrypting/encrypted-mail-commits';
import { MailEncryptor } from './encrypting/mail-encryptor';
import { MailsToEncryptRepository } from './encrypting/mails-to-encrypt.repository';
import { ExportController } from './export/export.controller';
import { ExportsRepository } from './export/exports.repository';
import { MailContents } from './export/mail-contents';
import { MailExportsService } from './export/mail-exports.service';
import { ArchiveMailsHandler } from './jobs/archive-mails.job';
import { ArchivePlanner } from './jobs/archive-plan';
import { MessageArchiver } from './jobs/message-archiver';
import { MessageFetcher } from './jobs/message-fetcher';
import { MessageMemory } from './jobs/message-memory';
import { MessageParser } from './jobs/message-parser';
import { ArchiveController } from './mails/archive.controller';
import { ArchivedMailsRepository } from './mails/archived-mails.repository';
import { ArchivedMailsService } from './mails/archived-mails.service';
import { MailListsRepository } from './mails/mail-lists.repository';
import { ArchivePurgeRepository } from './purge/archive-purge.repository';
import { DatabaseArchivePurger } from './purge/database-archive-purger';
import { StorageQuotas } from './quota/storage-quotas.service';
import { StorageQuotasRepository } from './quota/storage-quotas.repository';
import { ArchiveRemovalsCron } from './removals/archive-removals.cron';
import { ArchiveRemovals } from './removals/archive-removals.port';
import { ArchiveRemovalsRepository } from './removals/archive-removals.repository';
import { DatabaseArchiveRemovals } from './removals/database-archive-removals';
import { RemovalWatches } from './removals/removal-watch';
import { ArchiveStoreModule } from './store/archive-store.module';
import { ThreadListsRepository } from './threads/thread-lists.repository';
import { ThreadsController } from './threads/threads.controller';
import { ThreadsService } from './threads/threads.service';
import { ArchiveCommits } from './writing/archive-commits';
import { ArchiveWriter } from './writing/archive-writer';
import { ArchiveWritesRepository } from './writing/archive-writes.repository';
import { DuplicatesRepository } from './writing/duplicates.repository';
import { WritePlanner } from './writing/write-plan';

/** The archive: mail as EML files, found again by its rows. */
@Module({
  imports: [ArchiveStoreModule, MailboxAccountsModule, MessageIndexModule, ProvidersModule],
  controllers: [ArchiveController, ThreadsController, ExportController],
  providers: [
    { provide: ArchivePurger, useClass: DatabaseArchivePurger },
    DatabaseArchiveRemovals,
    { provide: ArchiveRemovals, useExisting: DatabaseArchiveRemovals },
    ArchiveRemovalsRepository,
    ArchiveRemovalsCron,
    RemovalWatches,
    { provide: Passphrases, useClass: HashedPassphrases },
    { provide: MailBytes, useClass: StoredMailBytes },
    PassphraseAttempts,
    EncryptionPassphrasesRepository,
    StorageQuotas,
    StorageQuotasRepository,
    WritePlanner,
    DuplicatesRepository,
    ArchiveCommits,
    ArchiveWriter,
    ArchiveWritesRepository,
    ArchivePlanner,
    MessageArchiver,
    MessageFetcher,
    MessageMemory,
    MessageParser,
    ArchiveMailsHandler,
    ArchivedMailsService,
    ArchivedMailsRepository,
    MailListsRepository,
    ThreadsService,
    ThreadListsRepository,
    MailExportsService,
    MailContents,
    ExportsRepository,
    ArchivePurgeRepository,
    ArchiveEncrypter,
    EncryptedMailCommits,
    MailEncryptor,
    MailsToEncryptRepository,
  ],
  exports: [
    ArchiveStoreModule,
    ArchiveEncrypter,
    ArchivePurger,
    ArchiveRemovals,
    ArchiveWriter,
    ArchiveWritesRepository,
    ArchivedMailsRepository,
    ArchivedMailsService,
    MailBytes,
    MailExportsService,
    MessageArchiver,
    MessageMemory,
    MessageParser,
    Passphrases,
  ],
})
export class ArchiveModule {}
