import type { Readable } from 'node:stream';
import type { TimeBudget } from '../../platform/concurrency/time-budget';

/** The `storage` column of mails on the local disk; mails in a bucket have their configuration's id there. */
export const LOCAL_STORAGE = 'local';

/** Inclusive byte offsets, as in HTTP ranges. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  /** E.g. `<userId>/<accountId>/<yyyy>/<mm>/<mailId>.eml`. */
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** An object to read whole, as its row describes it. */
export interface SmallObject {
  readonly key: string;
  /** Bytes it is believed to have. */
  readonly size: number;
}

/** An object to write whole. */
export interface NewObject {
  readonly key: string;
  readonly bytes: Buffer;
}

/** What was read of an object: all of it, null when it is missing, or that it is larger than it was believed to be. */
export type ManyRead = Buffer | null | 'larger';

/** A write that has begun and not ended. */
export interface UnfinishedWrite {
  readonly key: string;
  readonly startedAt: Date;
}

export interface PutOptions {
  /** Ends the waiting for a store that cannot be reached. */
  readonly signal?: AbortSignal;
}

export interface ReadOptions {
  /** For jobs: waits out an outage of the store, as writing does. */
  readonly retryOutages?: boolean;
  /** Ends the reading, wherever it has come to. */
  readonly signal?: AbortSignal;
  /**
   * Waits for the memory that the bytes are going to take. It is asked for once, when they are on this machine: no
   * memory that others wait for is held while a slow store is read.
   */
  readonly room?: () => Promise<void>;
}

export interface ReadWholeOptions extends ReadOptions {
  /** Bytes after which the reading ends: who owns a bucket may put an object of any size in the place of another. */
  readonly atMost?: number;
}

/** Of calls that make as many requests as the store has pages. */
export interface WalkOptions {
  /** Looked at before each request. */
  readonly signal?: AbortSignal;
  /** The time that the store may take, all in all. */
  readonly budget?: TimeBudget;
}

export interface RemoveUnfinishedOptions extends WalkOptions {
  /** Spares writes that may still be going on. */
  readonly isAbandoned?: (write: UnfinishedWrite) => boolean;
}

/**
 * Where EML files live: local disk, or an object store. Keys are relative, `/`-separated and never escape the root.
 * A key is never used twice: what is read in ranges, or goes on after a broken connection, is of one piece.
 * Methods of an object store also throw ArchiveStoreUnavailable after they have waited, and ArchiveStoreRefused at once.
 */
export interface ArchiveStore {
  /** Atomic and durable when it resolves: a reader sees the whole object or none. Overwrites the same key. */
  put(key: string, bytes: Buffer, options?: PutOptions): Promise<void>;
  /**
   * As `put` for each of a batch of objects, where that is cheaper; small ones take their memory twice. When it fails, some
   * may be there.
   */
  putMany?(objects: readonly NewObject[]): Promise<void>;
  /**
   * As `put`, in constant memory.
   * @param size bytes there will be; another number of them, and nothing is written
   * @param open begins the bytes, the same ones each time: a write that has to begin anew opens them again
   */
  putStream(
    key: string,
    size: number,
    open: () => AsyncIterable<Buffer>,
    options?: PutOptions,
  ): Promise<void>;
  /** @throws ObjectMissing */
  get(key: string, range?: ByteRange, options?: ReadOptions): Promise<Readable>;
  /** @throws ObjectMissing */
  read(key: string, options?: ReadWholeOptions): Promise<Buffer>;
  /**
   * Several small objects at once, in their order, where that is cheaper than as many `read`s. Memory is that of the
   * sizes given, whatever lies there now.
   */
  readMany?(objects: readonly SmallObject[]): Promise<ManyRead[]>;
  /** Where the file of an object lies on this machine, for threads that read it themselves. It may be missing. */
  pathOf?(key: string): string;
  exists(key: string): Promise<boolean>;
  /** SHA-256 of the stored bytes, hex. @throws ObjectMissing */
  hash(key: string, options?: Pick<ReadWholeOptions, 'signal' | 'atMost'>): Promise<string>;
  /** Succeeds when the object is already gone. */
  delete(key: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Objects under a prefix, in no particular order, without holding them all.
   * @throws ArchiveStoreEndless when the listing does not come forward, or the budget is used up
   */
  list(prefix: string, options?: WalkOptions): AsyncIterable<StoredObject>;
  /**
   * Removes what interrupted writes under a prefix left behind, as far as it is no object yet, where a store does not
   * do so by itself.
   * @throws ArchiveStoreEndless as `list`
   */
  removeUnfinished?(prefix: string, options?: RemoveUnfinishedOptions): Promise<void>;
  /** Removes the folder of a prefix with all it holds, where folders are more than parts of names. @returns files in it */
  removeFolder?(prefix: string): Promise<number>;
}

/** A store with the name mail rows give it. */
export interface NamedStore {
  readonly storage: string;
  readonly store: ArchiveStore;
}

/** Resolves the store a mail row names (`storage` column). */
export abstract class ArchiveStores {
  /** Where new mail of this user goes. */
  abstract forWriting(userId: string): Promise<NamedStore>;
  /** Every store in which files of this user may lie: the local one, and those of all their configurations. */
  abstract ofUser(userId: string): Promise<NamedStore[]>;
  /**
   * The store an existing mail lies in.
   * @param ownerId the mail's owner, where it is known: a store of somebody else is none of theirs
   * @throws ArchiveStoreUnknown
   */
  abstract named(storage: string, ownerId?: string): Promise<ArchiveStore>;
}
