import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Arrivals } from '../../platform/arrivals/arrivals';
import { WorkerPool } from '../../platform/workers/worker-pool';
import { AppConfig } from '../../platform/config/app-config';
import { ObjectStoreFailure } from '../buckets/object-store/object-store-failure';
import { ObjectStoreTimings } from '../buckets/object-store/object-store-timings';
import { type ConfiguredBucket, BucketsService } from '../buckets/buckets.service';
import { ArchiveStoreRefused, ArchiveStoreUnknown } from './archive-store.errors';
import { ArchiveStore, ArchiveStores, LOCAL_STORAGE, NamedStore } from './archive-store.port';
import { LocalArchiveStore } from './local-archive-store';
import { ObjectArchiveStore } from './object-archive-store';

/** Most clients kept; the one unused for longest is dropped first. */
const MAX_CLIENTS = 500;

interface Client {
  readonly revision: string;
  readonly store: ObjectArchiveStore;
}

/** The stores of the archive, by the name that mail rows give them. */
@Injectable()
export class ArchiveStoresService implements ArchiveStores, OnModuleInit, OnApplicationShutdown {
  private local: LocalArchiveStore;
  private readonly clients = new Map<string, Client>();

  constructor(
    private readonly config: AppConfig,
    private readonly workers: WorkerPool,
    private readonly buckets: BucketsService,
    private readonly arrivals: Arrivals,
    private readonly timings: ObjectStoreTimings,
  ) {}

  async onModuleInit(): Promise<void> {
    this.local = await LocalArchiveStore.open(this.config.storage.archiveDir, this.workers);
  }

  /** Closes the stores last: jobs that run on until the end of their batch, and answers under way, still use them. */
  async onApplicationShutdown(): Promise<void> {
    await this.local?.close();
    for (const { store } of this.clients.values()) store.close();
    this.clients.clear();
  }

  async findForWriting(userId: string): Promise<NamedStore> {
    const bucket = await this.buckets.findCurrent(userId);
    if (!bucket) return { storage: LOCAL_STORAGE, store: this.local };
    return { storage: bucket.id, store: this.storeIn(bucket) };
  }

  async listOfUser(userId: string): Promise<NamedStore[]> {
    const buckets = await this.buckets.listOfUser(userId);
    return [
      { storage: LOCAL_STORAGE, store: this.local },
      ...buckets.map((bucket) => ({ storage: bucket.id, store: this.storeIn(bucket) })),
    ];
  }

  async find(storage: string, ownerId?: string): Promise<ArchiveStore> {
    if (storage === LOCAL_STORAGE) return this.local;
    const bucket = isUuid(storage) ? await this.buckets.find(storage) : null;
    if (!bucket || (ownerId !== undefined && bucket.userId !== ownerId)) {
      throw new ArchiveStoreUnknown(storage);
    }
    return this.storeIn(bucket);
  }

  private storeIn(bucket: ConfiguredBucket): ArchiveStore {
    const { id, revision } = bucket;
    const known = this.clients.get(id);
    this.clients.delete(id);
    // An outdated client may still be in use: its idle connections end by themselves.
    const client = known?.revision === revision ? known : { revision, store: this.connect(bucket) };
    this.clients.set(id, client);
    if (this.clients.size > MAX_CLIENTS) this.clients.delete(this.clients.keys().next().value!);
    return client.store;
  }

  private connect(bucket: ConfiguredBucket): ObjectArchiveStore {
    try {
      return new ObjectArchiveStore(bucket.connect(), this.config.storage.objectStoreWaitMs, {
        pace: this.timings,
        arrive: (bytes, source, signal) => this.arrivals.receive(bucket.userId, bytes, source, signal),
      });
    } catch (error) {
      if (error instanceof ObjectStoreFailure) throw new ArchiveStoreRefused(error.reason, error);
      throw error;
    }
  }
}
