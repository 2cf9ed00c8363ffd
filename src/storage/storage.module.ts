import { Module } from '@nestjs/common';
import { BucketTest } from './bucket-test';
import { BucketsModule } from './buckets.module';
import { StorageController } from './storage.controller';
import { StorageService } from './storage.service';

/** Where users choose to keep their archives. */
@Module({
  imports: [BucketsModule],
  controllers: [StorageController],
  providers: [StorageService, BucketTest],
})
export class StorageModule {}
