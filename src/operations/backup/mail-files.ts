import { createHash } from 'node:crypto';
import { ObjectMissing } from '../../archive/files/archive-store.errors';
import { type ArchiveStore, type ArchiveStores, LOCAL_STORAGE } from '../../archive/files/archive-store.port';
import { StoreAllowance, type StoreAllowanceLimits, StoreTooSlow } from '../../archive/files/store-allowance';
import { Semaphore } from '../../platform/concurrency/semaphore';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { describeError } from '../../platform/logging/describe-error';
import { ArchiveListEntry, MailRow, joinKnown } from './archive-list';
import type { BackupFolder } from './backup-folder';
import { batchesOf } from './files';
import type { PresentMail } from './snapshot.repository';

const BATCH = 256;
const CONCURRENCY = 8;
/** Limit for the bytes of mails in memory; a larger mail is read alone. */
const BYTES_IN_FLIGHT = 64 * 1024 * 1024;
/** Consecutive failures after which a store is skipped: an outage must not cost its timeout for every mail. */
const MAX_FAILURES = 3;
/** Growth up to which an altered file is copied, in bytes: it is read into memory. */
const MAX_GROWTH = 1024 * 1024;
/** Attempts to read a mail, which may be encrypted or deleted while its file is read. */
const ATTEMPTS = 3;

/** The work of one pass over the archive. */
export interface PassCounts {
  mails: number;
  bytes: number;
  copied: number;
  copiedBytes: number;
}

export interface MailSource {
  readonly stores: ArchiveStores;
  /** A mail as its row is now, or null when it has been deleted. */
  findPresentMail(id: string): Promise<PresentMail | null>;
  /** The mail that has replaced one of the snapshot because it was archived again, as its row is now; null: none. */
  findSuccessorOf?(id: string): Promise<PresentMail | null>;
  /** Called when a mail has another file than its row named, e.g. since it was encrypted: that file is copied. */
  onMoved(mail: PresentMail): void | Promise<void>;
  /** Called when a mail has been deleted since its row was read. */
  onDeleted(id: string): void | Promise<void>;
}

export interface PassLimits {
  /** Time limits for one object store in this pass. */
  readonly store: StoreAllowanceLimits;
  /** Names of stores that are not asked again. */
  readonly slowStores?: readonly string[];
}

type Found = { bytes: Buffer; sha256: string } | 'missing' | { unreadable: string };

/**
 * Copies the files of archived mails into a backup. Files already there are kept: a sound copy outlives the loss or
 * alteration of its original.
 */
export class MailFiles {
  /** Time left for object stores, by name. */
  private readonly allowances = new Map<string, StoreAllowance>();
  private readonly budget = new Semaphore(BYTES_IN_FLIGHT);
  private readonly failures = new Map<string, { inARow: number; reason: string }>();

  constructor(
    private readonly folder: BackupFolder,
    private readonly target: ArchiveStore,
    private readonly source: MailSource,
    private readonly limits: PassLimits,
  ) {}

  /** Stores that have used up their time. */
  get slowStores(): string[] {
    return [...this.allowances].flatMap(([storage, { isUsedUp }]) => (isUsedUp ? [storage] : []));
  }

  /**
   * @param rows sorted by key
   * @param known the list of the backup before, sorted by key
   * @returns the list of the new one in the order of the rows, without mails deleted meanwhile; those encrypted
   *   meanwhile are in it as they are now, at their old places
   */
  async *take(
    rows: AsyncIterable<MailRow>,
    known: AsyncIterable<ArchiveListEntry>,
    counts: PassCounts,
  ): AsyncGenerator<ArchiveListEntry> {
    for await (const batch of batchesOf(joinKnown(rows, known), BATCH)) {
      const taken = new Array<ArchiveListEntry | null>(batch.length);
      await forEachConcurrently(batch.entries(), CONCURRENCY, async ([index, { row, known: earlier }]) => {
        taken[index] = await this.takeOne(row, earlier, counts);
      });
      for (const entry of taken) if (entry) yield entry;
    }
  }

  private async takeOne(
    row: MailRow,
    known: ArchiveListEntry | null,
    counts: PassCounts,
  ): Promise<ArchiveListEntry | null> {
    counts.mails += 1;
    counts.bytes += row.bytes;
    let mail = row;
    for (let attempt = 1; ; attempt += 1) {
      const entry = await this.takeFile(mail, known, counts);
      if (entry.state !== 'missing' || attempt === ATTEMPTS) return entry;
      // Rows are deleted before their files: if the row still names the file, the file is lost.
      let present = await this.source.findPresentMail(mail.id);
      if (!present) {
        await this.source.onDeleted(mail.id);
        present = (await this.source.findSuccessorOf?.(mail.id)) ?? null;
        if (!present) return null;
      }
      if (!isSameFile(present, mail)) await this.source.onMoved(present);
      const { id, storage, key, bytes, sha256 } = present;
      mail = { id, storage, key, bytes, sha256 };
    }
  }

  private async takeFile(
    row: MailRow,
    known: ArchiveListEntry | null,
    counts: PassCounts,
  ): Promise<ArchiveListEntry> {
    if (
      known?.path != null &&
      known.key === row.key &&
      (await this.folder.readMailSize(known.path)) === row.bytes
    ) {
      return { ...row, state: 'sound', path: known.path };
    }
    const place = await this.choosePath(row);
    if (place.isThere) return { ...row, state: 'sound', path: place.path };
    const share = await this.budget.reserve(row.bytes);
    try {
      const found = await this.readFrom(row);
      if (found === 'missing') return { ...row, state: 'missing', path: null };
      if ('unreadable' in found) {
        return { ...row, state: 'unreadable', path: null, reason: found.unreadable };
      }
      const isSound = found.sha256 === row.sha256;
      const path = isSound ? place.path : `${row.key}.altered`;
      await this.target.put(path, found.bytes);
      counts.copied += 1;
      counts.copiedBytes += found.bytes.length;
      if (isSound) return { ...row, state: 'sound', path };
      return { ...row, state: 'altered', path, found: { bytes: found.bytes.length, sha256: found.sha256 } };
    } finally {
      share.release();
    }
  }

  /**
   * Path for the mail's bytes: its key, or its key and hash when other bytes, perhaps of the previous backup, have that path.
   */
  private async choosePath(row: MailRow): Promise<{ path: string; isThere: boolean }> {
    const named = `${row.key}.${row.sha256}`;
    for (const path of [row.key, named]) {
      if ((await this.folder.readMailSize(path)) === null) return { path, isThere: false };
      if (await this.folder.holds(path, row)) return { path, isThere: true };
    }
    return { path: named, isThere: false };
  }

  private async readFrom({ storage, key, bytes: size }: MailRow): Promise<Found> {
    const failed = this.failures.get(storage);
    if (failed && failed.inARow >= MAX_FAILURES) return { unreadable: failed.reason };
    try {
      if (this.limits.slowStores?.includes(storage)) throw new StoreTooSlow();
      const store = await this.source.stores.find(storage);
      const bytes =
        storage === LOCAL_STORAGE ? await store.read(key) : await this.readWithin(store, storage, key, size);
      if (bytes.length > size + MAX_GROWTH) return { unreadable: 'The file is larger than it was.' };
      this.failures.delete(storage);
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      if (error instanceof ObjectMissing) return 'missing';
      const reason = describeError(error).message;
      const inARow =
        error instanceof StoreTooSlow ? MAX_FAILURES : (this.failures.get(storage)?.inARow ?? 0) + 1;
      this.failures.set(storage, { inARow, reason });
      return { unreadable: reason };
    }
  }

  private readWithin(store: ArchiveStore, storage: string, key: string, size: number): Promise<Buffer> {
    let allowance = this.allowances.get(storage);
    if (!allowance) {
      allowance = new StoreAllowance(this.limits.store);
      this.allowances.set(storage, allowance);
    }
    // One byte more, so that a file that is too large is noticed without being read.
    const range = { start: 0, end: size + MAX_GROWTH };
    return allowance.read((signal) => store.get(key, range, { signal }));
  }
}

const isSameFile = (one: MailRow, other: MailRow): boolean =>
  one.storage === other.storage && one.key === other.key && one.sha256 === other.sha256;
