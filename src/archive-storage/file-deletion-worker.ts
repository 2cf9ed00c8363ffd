import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { forEachConcurrently } from '../common/concurrency/for-each-concurrently';
import { LeaseWorker } from '../common/concurrency/lease-worker';
import { describeError } from '../common/logging/describe-error';
import { AppConfig } from '../config/app-config';
import { type ArchiveStore, ArchiveStores } from './archive-store.port';
import { FileDeletionTimings } from './file-deletion-timings';
import { FileDeletionsRepository, LeasedFile } from './file-deletions.repository';
import { accountFolder } from './storage-key';

const BATCH = 100;
const CONCURRENT_DELETES = 8;
/** After so many failures a batch leaves the rest of it for later: the store is away. */
const MAX_FAILURES = 4;
/** A batch begins no deletion after this long; each one is bounded by its store. */
const MAX_BATCH_MS = 20_000;
/** Stores that files are deleted from at a time. */
const STORES = 8;
const SHUTDOWN_MS = 5_000;

interface StoreBatch {
  readonly storage: string;
  readonly files: readonly LeasedFile[];
}

/** Deletes files that are due, in every process that runs jobs: from each store a batch at a time. */
@Injectable()
export class FileDeletionWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FileDeletionWorker.name);
  private readonly worker: LeaseWorker<StoreBatch>;
  private readonly busy = new Set<string>();
  /** Stores that were away, with the time until which they are left alone. */
  private readonly pausedUntil = new Map<string, number>();

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

  /** Claims up to a batch of an account's files that nobody holds. */
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
    const files = await this.withoutNamed(claimed);
    const store = await this.stores.named(storage).catch((error: unknown) => ({ error }));
    const { gone, failed, error } =
      'error' in store ? { gone: [], failed: files, error: store.error } : await deleteFrom(store, files);
    if (!('error' in store) && gone.length > 0) await this.removeUnfinished(store, gone);
    if (gone.length > 0) await this.repository.delete(gone);
    const done = new Set([...gone, ...failed]);
    const left = files.filter((file) => !done.has(file));
    if (left.length > 0) await this.repository.releaseDue(left);
    if (failed.length > 0) {
      await this.repository.postpone(failed);
      this.logger.warn({
        message: `${failed.length} files could not be deleted from their store; they are tried again later`,
        storage,
        error: describeError(error),
      });
    }
    if ('error' in store || failed.length >= MAX_FAILURES) return 'store-away';
    return left.length > 0 && gone.length > 0 ? 'unfinished' : 'done';
  }

  /** The last guard: a file that a mail names is never deleted. There should be none. */
  private async withoutNamed(files: readonly LeasedFile[]): Promise<readonly LeasedFile[]> {
    const keys = await this.repository.named(files);
    const named = files.filter(({ storageKey }) => keys.has(storageKey));
    if (named.length === 0) return files;
    this.logger.error(`${named.length} files to delete belong to archived mails; they are kept`);
    await this.repository.delete(named);
    return files.filter(({ storageKey }) => !keys.has(storageKey));
  }

  /** Writers that were killed may have left parts of an upload. */
  private async removeUnfinished(store: ArchiveStore, files: readonly LeasedFile[]): Promise<void> {
    const keys = new Set(files.map(({ storageKey }) => storageKey));
    try {
      for (const prefix of new Set([...keys].map(accountFolder)))
        await store.removeUnfinished(prefix, ({ key }) => keys.has(key));
    } catch (error) {
      this.logger.warn(`Parts of uploads remain until the nightly check: ${describeError(error).message}`);
    }
  }

  private async claim(free: number): Promise<StoreBatch[]> {
    const now = performance.now();
    for (const [storage, until] of this.pausedUntil) if (until <= now) this.pausedUntil.delete(storage);
    const due = await this.repository.storesWithDue();
    const batches: StoreBatch[] = [];
    for (const storage of due) {
      if (batches.length === free) break;
      if (this.busy.has(storage) || this.pausedUntil.has(storage)) continue;
      const files = await this.claimFrom(storage, batches.length > 0);
      if (files.length === 0) continue;
      this.busy.add(storage);
      batches.push({ storage, files });
    }
    return batches;
  }

  /** @param hasOthers batches have been claimed already: a failure must not keep those from being run */
  private async claimFrom(storage: string, hasOthers: boolean): Promise<readonly LeasedFile[]> {
    try {
      return await this.repository.claimDue(storage, BATCH, this.timings.deleterLeaseMs);
    } catch (error) {
      if (!hasOthers) throw error;
      this.logger.warn(`No files of store ${storage} were claimed: ${describeError(error).message}`);
      return [];
    }
  }

  private async runBatch({ storage, files }: StoreBatch): Promise<void> {
    try {
      if ((await this.delete(storage, files)) !== 'store-away') return;
      this.pausedUntil.set(storage, performance.now() + this.timings.pauseMs);
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
