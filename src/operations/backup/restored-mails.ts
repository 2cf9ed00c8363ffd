import { createHash } from 'node:crypto';
import { ArchiveStoreEndless, ObjectMissing } from '../../archive/files/archive-store.errors';
import type { ArchiveStore, ArchiveStores } from '../../archive/files/archive-store.port';
import { StoreTooSlow } from '../../archive/files/store-allowance';
import { monthFolder } from '../../archive/files/storage-key';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { DomainError } from '../../platform/http/domain-error';
import { Semaphore } from '../../platform/concurrency/semaphore';
import { TimeBudget } from '../../platform/concurrency/time-budget';
import { ArchiveListEntry, contentOf } from './archive-list';
import type { BackupFolder } from './backup-folder';
import { batchesOf, isAbsence } from './files';

const BATCH = 256;
const CONCURRENCY = 8;
/** Limit for the bytes of mails in memory; a larger mail is restored alone. */
const BYTES_IN_FLIGHT = 64 * 1024 * 1024;
/** Folders (months of an account) whose listings are cached. */
const LISTINGS = 16;
/** Time for one object store, summed over up to eight mails at a time: it lasts at least three hours. */
const MAX_STORE_MS = 24 * 60 * 60_000;
/** Time for the answers to one listing: a user's own bucket may have no end. */
const MAX_LISTING_MS = 60_000;

export interface BackupRestoreCounts {
  mails: number;
  written: number;
  writtenBytes: number;
  /** Number of mails damaged in the backup: their rows are restored without files. */
  damaged: number;
}

/** Mails that an object store did not accept. */
export interface Unreached {
  mails: number;
  readonly reason: string;
}

/** Writes mails of a backup to the stores their rows name, except files that are already there. */
export class RestoredMails {
  readonly counts: BackupRestoreCounts = { mails: 0, written: 0, writtenBytes: 0, damaged: 0 };
  /** Mails that could not be written, by store. */
  readonly unreached = new Map<string, Unreached>();
  private readonly budget = new Semaphore(BYTES_IN_FLIGHT);
  private readonly times = new Map<string, TimeBudget>();
  private readonly listings = new Map<string, Promise<Map<string, number>>>();

  constructor(private readonly folder: BackupFolder) {}

  /**
   * Writes mails to the local archive.
   * @returns batches of mails that are there now
   */
  async *writeLocal(
    entries: AsyncIterable<ArchiveListEntry>,
    local: ArchiveStore,
  ): AsyncGenerator<ArchiveListEntry[]> {
    yield* this.inBatches(entries, async (entry) => {
      // The file was left by an interrupted run, whose files are complete.
      if ((await local.exists(entry.key)) && (await local.hash(entry.key)) === contentOf(entry).sha256)
        return true;
      return this.write(entry, local);
    });
  }

  /**
   * Writes mails to their object stores if they are missing or altered there; objects of the right size are read and
   * hashed. A store that fails is left, with all its mails: others' mails do not wait for it.
   */
  async *writeToStores(
    entries: AsyncIterable<ArchiveListEntry>,
    stores: ArchiveStores,
  ): AsyncGenerator<ArchiveListEntry[]> {
    yield* this.inBatches(entries, async (entry) => {
      const { storage } = entry;
      try {
        if (!this.unreached.has(storage))
          return await this.timeOf(storage).spend(() => this.writeToStore(entry, stores));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (!this.unreached.has(storage)) this.unreached.set(storage, { mails: 0, reason: error.detail });
      }
      this.unreached.get(storage)!.mails += 1;
      return false;
    });
  }

  private async writeToStore(entry: ArchiveListEntry, stores: ArchiveStores): Promise<boolean> {
    const store = await stores.find(entry.storage);
    const there = await this.sizesIn(entry.storage, monthFolder(entry.key), store);
    const isThere =
      there.get(entry.key) === contentOf(entry).bytes &&
      (await this.hashIn(store, entry)) === contentOf(entry).sha256;
    return isThere || this.write(entry, store);
  }

  private timeOf(storage: string): TimeBudget {
    const known = this.times.get(storage);
    if (known) return known;
    const time = new TimeBudget(MAX_STORE_MS, () => new StoreTooSlow());
    this.times.set(storage, time);
    return time;
  }

  private async hashIn(store: ArchiveStore, entry: ArchiveListEntry): Promise<string | null> {
    try {
      // One byte more, so that a longer file is noticed without being read.
      return await store.hash(entry.key, { atMost: contentOf(entry).bytes + 1 });
    } catch (error) {
      // The file was deleted after the folder was listed.
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  /** Sizes of the files in a folder: one listing covers a thousand mails. */
  private sizesIn(storage: string, folder: string, store: ArchiveStore): Promise<Map<string, number>> {
    const name = `${storage} ${folder}`;
    const known = this.listings.get(name);
    if (known) return known;
    // Mails are in the order of their keys: the folder of an earlier key does not come again.
    const [oldest] = this.listings.keys();
    if (this.listings.size >= LISTINGS && oldest !== undefined) this.listings.delete(oldest);
    const listing = sizesOf(store, folder);
    this.listings.set(name, listing);
    return listing;
  }

  private async *inBatches(
    entries: AsyncIterable<ArchiveListEntry>,
    restore: (entry: ArchiveListEntry) => Promise<boolean>,
  ): AsyncGenerator<ArchiveListEntry[]> {
    for await (const batch of batchesOf(entries, BATCH)) {
      const there: ArchiveListEntry[] = [];
      const present = batch.filter(({ path }) => path !== null);
      await forEachConcurrently(present, CONCURRENCY, async (entry) => {
        const isThere = await restore(entry);
        this.counts.mails += 1;
        if (isThere) there.push(entry);
      });
      yield there;
    }
  }

  private async write(entry: ArchiveListEntry, store: ArchiveStore): Promise<boolean> {
    const share = await this.budget.reserve(contentOf(entry).bytes);
    try {
      const bytes = await this.read(entry);
      if (!bytes) {
        this.counts.damaged += 1;
        return false;
      }
      await store.put(entry.key, bytes);
      this.counts.written += 1;
      this.counts.writtenBytes += bytes.length;
      return true;
    } finally {
      share.release();
    }
  }

  private async read(entry: ArchiveListEntry): Promise<Buffer | null> {
    try {
      const bytes = await this.folder.readMail(entry.path as string);
      return createHash('sha256').update(bytes).digest('hex') === contentOf(entry).sha256 ? bytes : null;
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }
}

async function sizesOf(store: ArchiveStore, folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const budget = new TimeBudget(MAX_LISTING_MS, () => new ArchiveStoreEndless());
  for await (const { key, size } of store.list(folder, { budget })) sizes.set(key, size);
  return sizes;
}
