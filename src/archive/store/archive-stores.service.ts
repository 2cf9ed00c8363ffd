import { Injectable, OnModuleInit } from '@nestjs/common';
import { WorkerPool } from '../../common/workers/worker-pool';
import { AppConfig } from '../../config/app-config';
import { ArchiveStoreUnknown } from './archive-store.errors';
import { ArchiveStore, ArchiveStores, NamedStore } from './archive-store.port';
import { LocalArchiveStore } from './local-archive-store';

/** What mails on the local disk have in their `storage` column. */
export const LOCAL_STORAGE = 'local';

/** The stores mail lies in, by the name its row carries. */
@Injectable()
export class ArchiveStoresService implements ArchiveStores, OnModuleInit {
  private local: ArchiveStore;

  constructor(
    private readonly config: AppConfig,
    private readonly workers: WorkerPool,
  ) {}

  async onModuleInit(): Promise<void> {
    this.local = await LocalArchiveStore.open(this.config.storage.archiveDir, this.workers);
  }

  async forWriting(_userId: string): Promise<NamedStore> {
    return { storage: LOCAL_STORAGE, store: this.local };
  }

  async ofUser(_userId: string): Promise<NamedStore[]> {
    return [{ storage: LOCAL_STORAGE, store: this.local }];
  }

  async named(storage: string): Promise<ArchiveStore> {
    if (storage !== LOCAL_STORAGE) throw new ArchiveStoreUnknown(storage);
    return this.local;
  }
}
