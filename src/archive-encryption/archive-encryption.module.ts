import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { EncryptionModule } from '../encryption/encryption.module';
import { TrackingModule } from '../tracking/tracking.module';
import { ArchiveEncryptionController } from './archive-encryption.controller';
import { ArchiveEncryptionService } from './archive-encryption.service';
import { EncryptArchivesHandler } from './encrypt-archives.job';
import { EncryptionService } from './encryption.service';
import { MailEncryptor } from './mail-encryptor';

/** Encrypts archives, and reads single encrypted mails. */
@Module({
  imports: [ArchiveModule, EncryptionModule, TrackingModule],
  controllers: [ArchiveEncryptionController],
  providers: [ArchiveEncryptionService, EncryptArchivesHandler, EncryptionService, MailEncryptor],
})
export class ArchiveEncryptionModule {}
