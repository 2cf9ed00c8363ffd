import { Module } from '@nestjs/common';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { AccessModule } from '../../platform/access/access.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { EncryptionModule } from '../../archive/passphrases/encryption.module';
import { TrackingModule } from '../tracking/tracking.module';
import { ArchiveEncryptionController } from './archive-encryption.controller';
import { EncryptArchivesHandler } from './encrypt-archives.job';
import { EncryptionService } from './encryption.service';
import { MailEncryptor } from './mail-encryptor';

/** Encrypts archives, and reads single encrypted mails. */
@Module({
  imports: [AccessModule, JobsModule, MessageIndexModule, MailsModule, EncryptionModule, TrackingModule],
  controllers: [ArchiveEncryptionController],
  providers: [EncryptArchivesHandler, EncryptionService, MailEncryptor],
})
export class ArchiveEncryptionModule {}
