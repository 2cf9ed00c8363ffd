import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { WorkerPool } from '../common/workers/worker-pool';
import { AppConfig } from '../config/app-config';
import { ObjectStoreFailure } from '../storage/object-store/object-store-failure';
import { type ConfiguredBucket, BucketsService } from '../storage/buckets.service';
import { ArchiveStoreRefused, ArchiveStoreUnknown } from './archive-store.errors';
import { ArchiveStore, ArchiveStores, NamedStore } from './archive-store.port';
import { LocalArchiveStore } from './local-archive-store';
import { ObjectArchiveStore } from './object-archive-store';

/** What mails on the local disk have in their `storage` column; mails in a bucket have their configuration's id. */
export const LOCAL_STORAGE = 'local';

/** Clients kept; the one unused for longest goes first. */
const MAX_CLIENTS = 500;

interface Client {
  readonly revision: string;
  readonly store: ObjectArchiveStore;
}

/** The stores mail lies in, by the name its row carries. */
@Injectable()
export class ArchiveStoresService implements ArchiveStores, OnModuleInit, OnModuleDestroy {
  private local: ArchiveStore;
  private readonly clients = new Map<string, Client>();

  constructor(
    private readonly config: AppConfig,
    private readonly workers: WorkerPool,
    private readonly locations: BucketsService,
  ) {}

  async onModuleInit(): Promise<void> {
    this.local = await LocalArchiveStore.open(this.config.storage.archiveDir, this.workers);
  }

  onModuleDestroy(): void {
    for (const { store } of this.clients.values()) store.close();
    this.clients.clear();
  }

  async forWriting(userId: string): Promise<NamedStore> {
    const location = await this.locations.current(userId);
    if (!location) return { storage: LOCAL_STORAGE, store: this.local };
    return { storage: location.id, store: this.storeAt(location) };
  }

  async ofUser(userId: string): Promise<NamedStore[]> {
    const locations = await this.locations.ofUser(userId);
    return [
      { storage: LOCAL_STORAGE, store: this.local },
      ...locations.map((location) => ({ storage: location.id, store: this.storeAt(location) })),
    ];
  }

  async named(storage: string, ownerId?: string): Promise<ArchiveStore> {
    if (storage === LOCAL_STORAGE) return this.local;
    const location = isUuid(storage) ? await this.locations.find(storage) : null;
    if (!location || (ownerId !== undefined && location.userId !== ownerId)) {
      throw new ArchiveStoreUnknown(storage);
    }
    return this.storeAt(location);
  }

  private storeAt(location: ConfiguredBucket): ArchiveStore {
    const { id, revision } = location;
    const known = this.clients.get(id);
    this.clients.delete(id);
    // An outdated client may still be in use: its idle connections end by themselves.
    const client = known?.revision === revision ? known : { revision, store: this.connect(location) };
    this.clients.set(id, client);
    if (this.clients.size > MAX_CLIENTS) this.clients.delete(this.clients.keys().next().value!);
    return client.store;
  }

  private connect(location: ConfiguredBucket): ObjectArchiveStore {
    try {
      return new ObjectArchiveStore(location.connect(), this.config.storage.objectStorePatienceMs);
    } catch (error) {
      if (error instanceof ObjectStoreFailure) throw new ArchiveStoreRefused(error.reason, error);
      throw error;
    }
  }
}
