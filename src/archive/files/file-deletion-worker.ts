import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { LeaseWorker } from '../../platform/database/lease-worker';
import { TimeBudget } from '../../platform/concurrency/time-budget';
import { describeError } from '../../platform/logging/describe-error';
import { AppConfig } from '../../platform/config/app-config';
import { ArchiveStoreEndless } from './archive-store.errors';
import { type ArchiveStore, ArchiveStores, LOCAL_STORAGE } from './archive-store.port';
import { FileDeletionTimings } from './file-deletion-timings';
import { type DueStore, FileDeletionsRepository, LeasedFile } from './file-deletions.repository';
import { accountFolder } from './storage-key';

const BATCH = 100;
const CONCURRENT_DELETES = 8;
/** Failures after which a batch leaves the rest for later: the store cannot be reached. */
const MAX_FAILURES = 4;
/** Time after which a batch begins no further deletion; the store bounds the time of each deletion. */
const MAX_BATCH_MS = 20_000;
/** Stores that files are deleted from at a time, and how many of them may be one user's, who may have made them slow. */
const STORES = 8;
const STORES_OF_USER = 2;
/** The longest pause of a store that is away: it may be gone for good. */
const MAX_PAUSE_MS = 24 * 60 * 60_000;
const SHUTDOWN_MS = 5_000;

interface StoreBatch {
  readonly storage: string;
  readonly files: readonly LeasedFile[];
}

/** A store that could not be reached. */
interface Outage {
  /** Consecutive failed attempts. */
  readonly attempts: number;
  /** Time of the next attempt, as of `performance.now()`. */
  readonly until: number;
}

/** Deletes files that are due, in every process that runs jobs: from each store a batch at a time. */
@Injectable()
export class FileDeletionWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FileDeletionWorker.name);
  private readonly worker: LeaseWorker<StoreBatch>;
  /** Stores of running batches, each with its owner. */
  private readonly busy = new Map<string, string>();
  private readonly outages = new Map<string, Outage>();
  /** Stores in the order of their last batches: each comes after all others that have files. */
  private readonly served = new Set<string>();

  constructor(
    private readonly repository: FileDeletionsRepository,
    private readonly stores: ArchiveStores,
    private readonly timings: FileDeletionTimings,
    private readonly config: AppConfig,
  ) {
    this.worker = new LeaseWorker({
      slots: STORES,
      pollMs: timings.pollMs,
      claim: (free) => this.claim(free),
      run: (batch) => this.runBatch(batch),
      logger: this.logger,
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.runsJobs) this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop({ graceMs: SHUTDOWN_MS, abortMs: 0 });
  }

  /** Looks for work at once, if this process does any. */
  wake(): void {
    this.worker.wake();
  }

  /** Deletes all files that are due. Resolves when that is done, or their stores are away. */
  runDue(): Promise<void> {
    return this.worker.drain();
  }

  /** Claims up to a batch of an account's files that are under no lease. */
  claimOf(accountId: string, after: string, except: readonly string[]): Promise<LeasedFile[]> {
    return this.repository.claimOf(accountId, { after, except, limit: BATCH }, this.timings.deleterLeaseMs);
  }

  /**
   * Deletes claimed files of one store. Failures are tried again later.
   * @returns `unfinished`: there was no time for some, which are due again
   */
  async delete(
    storage: string,
    claimed: readonly LeasedFile[],
  ): Promise<'done' | 'unfinished' | 'store-away'> {
    const files = await this.excludeNamed(claimed);
    const store = await this.stores.find(storage).catch((error: unknown) => ({ error }));
    const { gone, failed, error } =
      'error' in store ? { gone: [], failed: files, error: store.error } : await deleteFrom(store, files);
    if (!('error' in store) && gone.length > 0) await this.removeUnfinished(store, gone);
    if (gone.length > 0) await this.repository.delete(gone);
    const done = new Set([...gone, ...failed]);
    const left = files.filter((file) => !done.has(file));
    if (left.length > 0) await this.repository.releaseDue(left);
    if (failed.length > 0) {
      await this.repository.postpone(failed);
      this.report(storage, failed.length, error);
    }
    if ('error' in store || failed.length >= MAX_FAILURES) return 'store-away';
    return left.length > 0 && gone.length > 0 ? 'unfinished' : 'done';
  }

  /** Leaves out files that a mail names, so that they are never deleted. There should be none. */
  private async excludeNamed(files: readonly LeasedFile[]): Promise<readonly LeasedFile[]> {
    const keys = await this.repository.findNamed(files);
    const named = files.filter(({ storageKey }) => keys.has(storageKey));
    if (named.length === 0) return files;
    this.logger.error(`${named.length} files to delete belong to archived mails and are kept`);
    await this.repository.delete(named);
    return files.filter(({ storageKey }) => !keys.has(storageKey));
  }

  /** Logs the first failure of each outage: a bucket that is gone for good is tried for ever. */
  private report(storage: string, files: number, error: unknown): void {
    if (this.outages.has(storage)) return;
    this.logger.warn({
      message: `${files} files could not be deleted from their store; will retry later`,
      storage,
      error: describeError(error),
    });
  }

  /** Removes parts of uploads that killed writers may have left. */
  private async removeUnfinished(store: ArchiveStore, files: readonly LeasedFile[]): Promise<void> {
    if (!store.removeUnfinished) return;
    const keys = new Set(files.map(({ storageKey }) => storageKey));
    const budget = new TimeBudget(this.timings.unfinishedMs, () => new ArchiveStoreEndless());
    const isAbandoned = ({ key }: { key: string }): boolean => keys.has(key);
    try {
      for (const prefix of new Set([...keys].map(accountFolder)))
        await store.removeUnfinished(prefix, { isAbandoned, budget });
    } catch (error) {
      this.logger.warn(
        `Parts of uploads stay in the store until the nightly check: ${describeError(error).message}`,
      );
    }
  }

  private async claim(free: number): Promise<StoreBatch[]> {
    const batches: StoreBatch[] = [];
    for (const { storage, userId } of this.orderByTurn(await this.repository.findStoresWithDue())) {
      if (batches.length === free) break;
      const user = storage === LOCAL_STORAGE ? LOCAL_STORAGE : userId;
      if ([...this.busy.values()].filter((one) => one === user).length >= STORES_OF_USER) continue;
      const files = await this.claimFrom(storage, batches.length > 0);
      if (files.length === 0) continue;
      this.busy.set(storage, user);
      this.served.delete(storage);
      this.served.add(storage);
      batches.push({ storage, files });
    }
    return batches;
  }

  /** Stores whose files may be deleted now: first those that have not had a batch for longest. */
  private orderByTurn(due: readonly DueStore[]): DueStore[] {
    const now = performance.now();
    const withFiles = new Set(due.map(({ storage }) => storage));
    for (const storage of this.served) if (!withFiles.has(storage)) this.served.delete(storage);
    const turns = new Map([...this.served].map((storage, turn) => [storage, turn]));
    return due
      .filter(({ storage }) => !this.busy.has(storage) && !((this.outages.get(storage)?.until ?? 0) > now))
      .sort((one, other) => (turns.get(one.storage) ?? -1) - (turns.get(other.storage) ?? -1));
  }

  /** @param hasOthers batches have been claimed already: a failure must not keep those from being run */
  private async claimFrom(storage: string, hasOthers: boolean): Promise<readonly LeasedFile[]> {
    try {
      return await this.repository.claimDue(storage, BATCH, this.timings.deleterLeaseMs);
    } catch (error) {
      if (!hasOthers) throw error;
      this.logger.warn(`Could not claim files of store ${storage}: ${describeError(error).message}`);
      return [];
    }
  }

  private async runBatch({ storage, files }: StoreBatch): Promise<void> {
    try {
      if ((await this.delete(storage, files)) !== 'store-away') return void this.outages.delete(storage);
      const attempts = (this.outages.get(storage)?.attempts ?? 0) + 1;
      const pauseMs = Math.min(this.timings.pauseMs * 2 ** (attempts - 1), MAX_PAUSE_MS);
      this.outages.set(storage, { attempts, until: performance.now() + pauseMs });
    } finally {
      this.busy.delete(storage);
    }
  }
}

async function deleteFrom(
  store: ArchiveStore,
  files: readonly LeasedFile[],
): Promise<{ gone: LeasedFile[]; failed: LeasedFile[]; error: unknown }> {
  const gone: LeasedFile[] = [];
  const failed: LeasedFile[] = [];
  let firstError: unknown;
  const startedAt = performance.now();
  const deleteOne = async (file: LeasedFile): Promise<void> => {
    if (failed.length >= MAX_FAILURES || performance.now() - startedAt > MAX_BATCH_MS) return;
    try {
      await store.delete(file.storageKey);
      gone.push(file);
    } catch (error) {
      firstError ??= error;
      failed.push(file);
    }
  };
  await forEachConcurrently(files, CONCURRENT_DELETES, deleteOne);
  return { gone, failed, error: firstError };
}
