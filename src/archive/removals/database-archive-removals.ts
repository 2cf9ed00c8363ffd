import { Injectable, Logger } from '@nestjs/common';
import { Transaction, Transactions } from '../../common/database/transactions';
import { describeError } from '../../common/logging/describe-error';
import { ArchiveStores } from '../store/archive-store.port';
import { boundedMap } from '../writing/bounded-map';
import { ArchiveRemovals, FileToRemove, StoredFile } from './archive-removals.port';
import { ArchiveRemovalsRepository } from './archive-removals.repository';

/** Files deleted in one transaction: what a crash makes us delete again. */
const BATCH = 100;
const REGISTER_BATCH = 1_000;
const CONCURRENT_DELETES = 8;
/** After so many failures a batch leaves the rest of it for later: the store is away. */
const MAX_FAILURES = 4;
/** A batch begins no more deletions after this long: others may be waiting for its locks. */
const MAX_BATCH_MS = 20_000;
const REMEMBERED_HOURS = 24;
const FORGET_BATCH = 5_000;

/** Stores that did not answer during one call. */
type Away = Set<string>;

/** Removals in `archive_removals`. Their row locks are held while their files are deleted, so that others wait. */
@Injectable()
export class DatabaseArchiveRemovals extends ArchiveRemovals {
  private readonly logger = new Logger(DatabaseArchiveRemovals.name);

  constructor(
    private readonly repository: ArchiveRemovalsRepository,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
  ) {
    super();
  }

  async register(files: readonly FileToRemove[], transaction: Transaction): Promise<void> {
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
    for (;;) {
      const batch = await this.transactions.run(async (transaction) => {
        const files = await this.repository.claimDue(BATCH, [...away], transaction);
        return { claimed: files.length, ...(await this.deleteClaimed(files, away, transaction)) };
      });
      removed += batch.removed;
      if (batch.claimed === 0) return removed;
    }
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
    const done = await this.transactions
      .run(async (transaction) => {
        const files = await this.repository.claim(storage, keys, transaction);
        // The transaction is over when a lock could not be had.
        if (files === null) throw new StillLocked();
        return this.deleteClaimed(files, away, transaction);
      })
      .catch((error: unknown) => {
        if (error instanceof StillLocked) return null;
        throw error;
      });
    if (done === null) this.logger.warn('Files are being removed elsewhere, and not getting done');
    return done ?? { removed: 0, left: 0 };
  }

  private async deleteClaimed(
    files: readonly StoredFile[],
    away: Away,
    transaction: Transaction,
  ): Promise<BatchDone> {
    const done = { removed: 0, left: 0 };
    for (const [storage, ofStorage] of byStorage(files)) {
      const { gone, failed, error } = await this.deleteFiles(storage, ofStorage);
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
      done.removed += gone.length;
      done.left += ofStorage.length - gone.length - failed.length;
    }
    return done;
  }

  private async deleteFiles(storage: string, files: readonly StoredFile[]): Promise<Deletions> {
    const gone: string[] = [];
    const failed: string[] = [];
    let firstError: unknown;
    const startedAt = performance.now();
    const deleteOne = async ({ storageKey }: StoredFile): Promise<void> => {
      if (failed.length >= MAX_FAILURES || performance.now() - startedAt > MAX_BATCH_MS) return;
      try {
        const store = await this.stores.named(storage);
        await store.delete(storageKey);
        gone.push(storageKey);
      } catch (error) {
        firstError ??= error;
        failed.push(storageKey);
      }
    };
    const deletions = boundedMap(files, deleteOne, {
      concurrency: CONCURRENT_DELETES,
      maxWaiting: files.length,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    for await (const _done of deletions);
    return { gone, failed, error: firstError };
  }
}

interface BatchDone {
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
