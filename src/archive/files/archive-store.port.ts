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
  /** Size in bytes according to its row. */
  readonly size: number;
}

/** An object to write whole. */
export interface NewObject {
  readonly key: string;
  readonly bytes: Buffer;
}

/** The bytes of an object; null when it is missing; `larger` when it has more bytes than its row says. */
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
  /** Whether to wait out an outage of the store, as writing does; for jobs. */
  readonly retryOutages?: boolean;
  /** Ends the reading at any point. */
  readonly signal?: AbortSignal;
  /**
   * Waits for the memory that the bytes are going to take. It is asked for once, when they are on this machine: no
   * memory that others wait for is held while a slow store is read.
   */
  readonly room?: () => Promise<void>;
}

export interface ReadWholeOptions extends ReadOptions {
  /** Bytes after which the reading ends: the owner of a bucket may replace an object by one of any size. */
  readonly atMost?: number;
}

/** Options of calls that make one request for each page of the store. */
export interface WalkOptions {
  /** Ends the call before its next request. */
  readonly signal?: AbortSignal;
  /** Total time that the store may take. */
  readonly budget?: TimeBudget;
}

export interface RemoveUnfinishedOptions extends WalkOptions {
  /** Whether a write has been abandoned; other writes may still be going on, and are kept. */
  readonly isAbandoned?: (write: UnfinishedWrite) => boolean;
}

/**
 * Store of EML files: the local disk, or an object store. Keys are relative, `/`-separated and never escape the root.
 * A key is never used twice: ranges, and reads that go on after a broken connection, come from the same object.
 * Methods of an object store also throw ArchiveStoreUnavailable after they have waited, and ArchiveStoreRefused at once.
 */
export interface ArchiveStore {
  /** Writes an object, atomically and durably when it resolves: a reader sees the whole object or none. Overwrites the same key. */
  put(key: string, bytes: Buffer, options?: PutOptions): Promise<void>;
  /**
   * Does what `put` does for each of a batch of objects, where that is cheaper; small ones take their memory twice. When it
   * fails, some may have been written.
   */
  putMany?(objects: readonly NewObject[]): Promise<void>;
  /**
   * Does what `put` does, in constant memory.
   * @param size number of bytes; nothing is written when the stream has another number
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
   * Reads several small objects at once, in their order, where that is cheaper than single `read`s. It takes the memory of
   * the sizes given, whatever the sizes in the store are.
   */
  readMany?(objects: readonly SmallObject[]): Promise<ManyRead[]>;
  /** Path of the file of an object on this machine, for threads that read it themselves. The file may be missing. */
  pathOf?(key: string): string;
  exists(key: string): Promise<boolean>;
  /** SHA-256 of the stored bytes, hex. @throws ObjectMissing */
  hash(key: string, options?: Pick<ReadWholeOptions, 'signal' | 'atMost'>): Promise<string>;
  /** Deletes an object; succeeds when there is none. */
  delete(key: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Lists the objects under a prefix, in no particular order, without holding them all.
   * @throws ArchiveStoreEndless when the listing does not come forward, or the budget is used up
   */
  list(prefix: string, options?: WalkOptions): AsyncIterable<StoredObject>;
  /**
   * Removes the remains of interrupted writes under a prefix that are no objects yet, where a store does not do so by
   * itself.
   * @throws ArchiveStoreEndless like `list`
   */
  removeUnfinished?(prefix: string, options?: RemoveUnfinishedOptions): Promise<void>;
  /** Removes the folder of a prefix with everything in it, on stores that have folders. @returns number of files in it */
  removeFolder?(prefix: string): Promise<number>;
}

/** A store with the name mail rows give it. */
export interface NamedStore {
  readonly storage: string;
  readonly store: ArchiveStore;
}

/** Resolves the store a mail row names (`storage` column). */
export abstract class ArchiveStores {
  /** The store of the user's new mail. */
  abstract findForWriting(userId: string): Promise<NamedStore>;
  /** Every store in which files of this user may lie: the local one, and those of all their configurations. */
  abstract listOfUser(userId: string): Promise<NamedStore[]>;
  /**
   * The store an existing mail lies in.
   * @param ownerId the mail's owner, where it is known: the store of another user is refused
   * @throws ArchiveStoreUnknown
   */
  abstract find(storage: string, ownerId?: string): Promise<ArchiveStore>;
}
