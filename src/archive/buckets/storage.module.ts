import { Module } from '@nestjs/common';
import { UsersModule } from '../../identity/users/users.module';
import { BucketTest } from './bucket-test';
import { BucketsModule } from './buckets.module';
import { StorageController } from './storage.controller';
import { StorageConfigurationsRepository } from './storage-configurations.repository';
import { StorageService } from './storage.service';

/** The storage of users' archives: the local disk or a bucket. */
@Module({
  imports: [BucketsModule, UsersModule],
  controllers: [StorageController],
  providers: [StorageService, StorageConfigurationsRepository, BucketTest],
})
export class StorageModule {}
