import { Module } from '@nestjs/common';
import { BucketTrial } from './bucket-trial';
import { StorageLocationsModule } from './storage-locations.module';
import { StorageController } from './storage.controller';
import { StorageService } from './storage.service';

/** Where users choose to keep their archives. */
@Module({
  imports: [StorageLocationsModule],
  controllers: [StorageController],
  providers: [StorageService, BucketTrial],
})
export class StorageModule {}
