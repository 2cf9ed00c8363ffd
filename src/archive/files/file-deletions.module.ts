import { Module } from '@nestjs/common';
import { ArchiveStorageModule } from './archive-storage.module';
import { FileDeletionTimings } from './file-deletion-timings';
import { FileDeletionWorker } from './file-deletion-worker';
import { FileDeletions } from './file-deletions';
import { FileDeletionsRepository } from './file-deletions.repository';
import { StoreTimings } from './store-time';

/** Deletes files in the background. It is apart from the stores, which the command line uses without a worker. */
@Module({
  imports: [ArchiveStorageModule],
  providers: [FileDeletions, FileDeletionWorker, FileDeletionTimings, StoreTimings, FileDeletionsRepository],
  exports: [FileDeletions, StoreTimings],
})
export class FileDeletionsModule {}
