import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { EncryptionModule } from '../encryption/encryption.module';
import { EncryptArchivesController, EncryptionController } from './archive-encryption.controller';
import { ArchiveEncryptionService } from './archive-encryption.service';
import { EncryptArchivesHandler } from './encrypt-archives.job';
import { EncryptedMailCommits } from './encrypted-mail-commits';
import { EncryptionJobsService, EncryptionService } from './encryption.service';
import { MailEncryptor } from './mail-encryptor';
import { EncryptionTotalsRepository, MailsToEncryptRepository } from './mails-to-encrypt.repository';

/** Encrypts archives, and reads single encrypted mails. */
@Module({
  imports: [ArchiveModule, EncryptionModule],
  controllers: [EncryptionController, EncryptArchivesController],
  providers: [
    ArchiveEncryptionService,
    EncryptArchivesHandler,
    EncryptedMailCommits,
    EncryptionJobsService,
    EncryptionService,
    EncryptionTotalsRepository,
    MailEncryptor,
    MailsToEncryptRepository,
  ],
})
export class ArchiveEncryptionModule {}
