import { Injectable, Logger } from '@nestjs/common';
import { mapConcurrently } from '../common/concurrency/map-concurrently';
import { Semaphore, type Share } from '../common/concurrency/semaphore';
import { Transaction, Transactions } from '../common/database/transactions';
import { describeError } from '../common/logging/describe-error';
import { AppConfig } from '../config/app-config';
import { type ArchiveStore, ArchiveStores } from './archive-store.port';
import { LOCAL_STORAGE } from './archive-stores.service';
import { FileDeletionsRepository } from './file-deletions.repository';

/** Where a stored file lies. */
export interface StoredFile {
  /** As in `archived_mails.storage`. */
  readonly storage: string;
  readonly storageKey: string;
}

/** A stored file, by where it lies and whose it is. */
export interface FileToDelete extends StoredFile {
  readonly userId: string;
  readonly accountId: string;
}

/**
 * The one way files leave the archive. Deleting a row and its file cannot be one step, and the keys of mails repeat:
 * archiving a deleted mail once more writes the same key. So the removal is registered in the transaction that deletes
 * the row, carried out after it, and remembered for a day: whoever writes a key checks, under the account's lock, that
 * no removal of it is pending or was carried out since it began to write, and otherwise writes the file again
 * (`RemovalWatch`).
 */
export abstract class FileDeletions {
  /**
   * Registers files for removal. The transaction holds the lock of the account's archive
   * (`ArchiveWritesRepository.lockArchive`), or has found the account gone, and has deleted, or found missing, the rows
   * that named them. A file that a row names after all is left alone.
   */
  abstract register(files: readonly FileToDelete[], transaction: Transaction): Promise<void>;

  /**
   * Deletes registered files; those of a store that cannot be reached stay registered and are deleted later by a
   * schedule, so this fails for no outage. When it returns, nobody else is deleting any of them either. Call after the
   * registering transaction has committed, and outside of any.
   * @returns how many files are gone because of this call
   */
  abstract carryOut(files: readonly StoredFile[]): Promise<number>;

  /** Deletes whatever is registered for an account, e.g. before its last traces go. @returns files still waiting */
  abstract carryOutFor(accountId: string, signal: AbortSignal): Promise<number>;
}

/** Files deleted in one transaction: what a crash makes us delete again. */
const BATCH = 100;
const REGISTER_BATCH = 1_000;
const CONCURRENT_DELETES = 8;
/** After so many failures a batch leaves the rest of it for later: the store is away. */
const MAX_FAILURES = 4;
/** A batch begins no more deletions after this long: others may be waiting for its locks. */
const MAX_BATCH_MS = 20_000;
/** At a time, in this process. */
const BATCHES_PER_STORE = 2;
const REMEMBERED_HOURS = 24;
const FORGET_BATCH = 5_000;

/** Stores that did not answer during one call. */
type Away = Set<string>;

/**
 * Removals in `archive_removals`. Their row locks are held while their files are deleted, so that others wait. Each
 * batch so holds a connection for as long as its store takes; a few do at a time, so that a store that hangs keeps
 * neither the service from its database nor other stores from being cleaned up.
 */
@Injectable()
export class DatabaseFileDeletions extends FileDeletions {
  private readonly logger = new Logger(DatabaseFileDeletions.name);
  private readonly lanes = new Map<string, { budget: Semaphore; users: number }>();
  private readonly buckets: Semaphore;

  constructor(
    private readonly repository: FileDeletionsRepository,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    super();
    this.buckets = new Semaphore(Math.max(1, Math.floor(config.database.poolSize / 4)));
  }

  async register(files: readonly FileToDelete[], transaction: Transaction): Promise<void> {
    const sorted = inLockOrder(files);
    for (let at = 0; at < sorted.length; at += REGISTER_BATCH) {
      const batch = sorted.slice(at, at + REGISTER_BATCH);
      const named = new Set((await this.repository.named(batch, transaction)).map(identity));
      const unnamed = batch.filter((file) => !named.has(identity(file)));
      if (unnamed.length > 0) await this.repository.upsert(unnamed, transaction);
    }
  }

  carryOut(files: readonly StoredFile[]): Promise<number> {
    return this.carryOutExcept(files, new Set());
  }

  async carryOutFor(accountId: string, signal: AbortSignal): Promise<number> {
    const away: Away = new Set();
    let after: StoredFile | null = null;
    for (;;) {
      signal.throwIfAborted();
      const page: StoredFile[] = await this.repository.pendingOf(accountId, { after, limit: BATCH });
      if (page.length === 0) return this.repository.countPending(accountId);
      after = page.at(-1) ?? null;
      await this.carryOutExcept(page, away);
    }
  }

  /** Carries out what whoever registered it did not get to. @returns files deleted */
  async carryOutDue(): Promise<number> {
    const away: Away = new Set();
    let removed = 0;
    for (const storage of await this.repository.storesWithDue()) {
      for (let claimed = 1; claimed > 0 && !away.has(storage);) {
        const batch = await this.claimed(storage, away, (transaction) =>
          this.repository.claimDue(storage, BATCH, transaction),
        );
        removed += batch.removed;
        claimed = batch.claimed;
      }
    }
    return removed;
  }

  /** Forgets what was carried out long ago. */
  async forgetOld(): Promise<void> {
    while ((await this.repository.forget(REMEMBERED_HOURS, FORGET_BATCH)) === FORGET_BATCH);
  }

  private async carryOutExcept(files: readonly StoredFile[], away: Away): Promise<number> {
    let removed = 0;
    for (const [storage, ofStorage] of byStorage(inLockOrder(files))) {
      for (let at = 0; at < ofStorage.length && !away.has(storage); at += BATCH) {
        const keys = ofStorage.slice(at, at + BATCH).map(({ storageKey }) => storageKey);
        let left: number;
        do {
          const batch = await this.carryOutBatch(storage, keys, away);
          removed += batch.removed;
          left = batch.left;
        } while (left > 0 && !away.has(storage));
      }
    }
    return removed;
  }

  private async carryOutBatch(storage: string, keys: readonly string[], away: Away): Promise<BatchDone> {
    try {
      return await this.claimed(storage, away, async (transaction) => {
        const files = await this.repository.claim(storage, keys, transaction);
        // The transaction is over when a lock could not be had.
        if (files === null) throw new StillLocked();
        return files;
      });
    } catch (error) {
      if (!(error instanceof StillLocked)) throw error;
      this.logger.warn('Files are being removed elsewhere, and not getting done');
      return { claimed: 0, removed: 0, left: 0 };
    }
  }

  /** Deletes the files of a store that `claim` locks. */
  private claimed(
    storage: string,
    away: Away,
    claim: (transaction: Transaction) => Promise<StoredFile[]>,
  ): Promise<BatchDone> {
    return this.inLane(storage, async () => {
      // Before the transaction: with a connection in hand, nobody may wait for a second one.
      const store = await this.stores.named(storage).catch((error: unknown) => ({ error }));
      return this.transactions.run(async (transaction) => {
        const keys = (await claim(transaction)).map(({ storageKey }) => storageKey);
        const { gone, failed, error } = await deleteFiles(store, keys);
        if (gone.length > 0) await this.repository.markRemoved(storage, gone, transaction);
        if (failed.length > 0) {
          await this.repository.postpone(storage, failed, transaction);
          if (failed.length >= MAX_FAILURES) away.add(storage);
          this.logger.warn({
            message: `${failed.length} files could not be removed from their store yet; it is tried again`,
            storage,
            error: describeError(error),
          });
        }
        const left = keys.length - gone.length - failed.length;
        return { claimed: keys.length, removed: gone.length, left };
      });
    });
  }

  /** Waits for its turn among the batches of a store, and then among those of all buckets. */
  private async inLane<T>(storage: string, work: () => Promise<T>): Promise<T> {
    const lane = this.lanes.get(storage) ?? { budget: new Semaphore(BATCHES_PER_STORE), users: 0 };
    this.lanes.set(storage, lane);
    lane.users += 1;
    const shares: Share[] = [];
    try {
      shares.push(await lane.budget.reserve(1));
      if (storage !== LOCAL_STORAGE) shares.push(await this.buckets.reserve(1));
      return await work();
    } finally {
      for (const share of shares) share.release();
      lane.users -= 1;
      if (lane.users === 0) this.lanes.delete(storage);
    }
  }
}

async function deleteFiles(
  store: ArchiveStore | { readonly error: unknown },
  storageKeys: readonly string[],
): Promise<Deletions> {
  if ('error' in store) return { gone: [], failed: [...storageKeys], error: store.error };
  const gone: string[] = [];
  const failed: string[] = [];
  let firstError: unknown;
  const startedAt = performance.now();
  const deleteOne = async (storageKey: string): Promise<void> => {
    if (failed.length >= MAX_FAILURES || performance.now() - startedAt > MAX_BATCH_MS) return;
    try {
      await store.delete(storageKey);
      gone.push(storageKey);
    } catch (error) {
      firstError ??= error;
      failed.push(storageKey);
    }
  };
  const deletions = mapConcurrently(storageKeys, deleteOne, {
    concurrency: CONCURRENT_DELETES,
    maxWaiting: Math.max(1, storageKeys.length),
    maxWaitingWeight: 1,
    weigh: () => 0,
  });
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  for await (const _done of deletions);
  return { gone, failed, error: firstError };
}

interface BatchDone {
  readonly claimed: number;
  readonly removed: number;
  /** Files there was no time for, or no point in trying. */
  readonly left: number;
}

interface Deletions {
  readonly gone: string[];
  readonly failed: string[];
  /** Of the first that failed. */
  readonly error: unknown;
}

class StillLocked extends Error {}

const identity = ({ storage, storageKey }: StoredFile): string => `${storage}\0${storageKey}`;

/** Each file once, by storage and key in code units: the order in which their rows are locked. */
function inLockOrder<F extends StoredFile>(files: readonly F[]): F[] {
  const unique = new Map(files.map((file) => [identity(file), file]));
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
}

function byStorage(files: readonly StoredFile[]): Map<string, StoredFile[]> {
  const groups = new Map<string, StoredFile[]>();
  for (const file of files) {
    const group = groups.get(file.storage);
    if (group) group.push(file);
    else groups.set(file.storage, [file]);
  }
  return groups;
}
