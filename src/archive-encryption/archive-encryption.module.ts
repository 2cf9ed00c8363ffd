import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { EncryptArchivesController, EncryptionController } from './archive-encryption.controller';
import { EncryptArchivesHandler } from './encrypt-archives.job';
import { EncryptionJobsService, EncryptionService } from './encryption.service';
import { EncryptionTotalsRepository } from './mails-to-encrypt.repository';

@Module({
  imports: [ArchiveModule],
  controllers: [EncryptionController, EncryptArchivesController],
  providers: [EncryptionService, EncryptionTotalsRepository, EncryptionJobsService, EncryptArchivesHandler],
})
export class ArchiveEncryptionModule {}
