import { Module } from '@nestjs/common';
import { WorkersModule } from '../common/workers/workers.module';
import { BucketsModule } from '../storage/buckets.module';
import { ArchiveStores } from './archive-store.port';
import { ArchiveStoresService } from './archive-stores.service';

/** Where archived mail lies, without the rest of the archive: also what the operators' command line needs of it. */
@Module({
  imports: [BucketsModule, WorkersModule],
  providers: [{ provide: ArchiveStores, useClass: ArchiveStoresService }],
  exports: [ArchiveStores],
})
export class ArchiveStorageModule {}
