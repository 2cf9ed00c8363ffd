import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../archive/archive.module';
import { EncryptionController } from './encryption.controller';
import { EncryptionService } from './encryption.service';
import { EncryptionTotalsRepository } from './encryption-totals.repository';
import { EncryptArchivesController } from './jobs/encrypt-archives.controller';
import { EncryptArchivesHandler } from './jobs/encrypt-archives.job';
import { EncryptionJobsService } from './jobs/encryption-jobs.service';

@Module({
  imports: [ArchiveModule],
  controllers: [EncryptionController, EncryptArchivesController],
  providers: [EncryptionService, EncryptionTotalsRepository, EncryptionJobsService, EncryptArchivesHandler],
})
export class EncryptionModule {}
