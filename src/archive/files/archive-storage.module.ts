import { Module } from '@nestjs/common';
import { ArrivalsModule } from '../../platform/arrivals/arrivals.module';
import { WorkersModule } from '../../platform/workers/workers.module';
import { BucketsModule } from '../buckets/buckets.module';
import { ObjectStoreTimings } from '../buckets/object-store/object-store-timings';
import { ArchiveStores } from './archive-store.port';
import { ArchiveStoresService } from './archive-stores.service';

/** The stores of archived mail, without the rest of the archive; the operators' command line uses them too. */
@Module({
  imports: [ArrivalsModule, BucketsModule, WorkersModule],
  providers: [{ provide: ArchiveStores, useClass: ArchiveStoresService }, ObjectStoreTimings],
  exports: [ArchiveStores],
})
export class ArchiveStorageModule {}
