import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../archive/archive.module';
import { EncryptionController } from './encryption.controller';
import { EncryptionService } from './encryption.service';
import { EncryptionTotalsRepository } from './encryption-totals.repository';

@Module({
  imports: [ArchiveModule],
  controllers: [EncryptionController],
  providers: [EncryptionService, EncryptionTotalsRepository],
})
export class EncryptionModule {}
