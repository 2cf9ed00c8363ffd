import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module';
import { EgressModule } from '../../platform/egress/egress.module';
import { StorageConfigurationsRepository } from './storage-configurations.repository';
import { BucketsService } from './buckets.service';

/** Configured buckets without the routes, which the command line does not need. */
@Module({
  imports: [CryptoModule, EgressModule],
  providers: [BucketsService, StorageConfigurationsRepository],
  exports: [BucketsService],
})
export class BucketsModule {}
