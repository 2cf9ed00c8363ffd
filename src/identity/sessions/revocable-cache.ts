import type { AccessChange, AccessChanges } from './access-changes';

/** Time for which a process may use what it read, in milliseconds. */
const MAX_AGE_MS = 2_000;
const MAX_ENTRIES = 10_000;

export interface RevocableSource<T> {
  /** Reads the database; null when nothing alive has this key. */
  read(key: string): Promise<T | null>;
  /** Whether a change may have made a cached value wrong. */
  concerns(value: T, change: AccessChange): boolean;
}

interface Entry<T> {
  readonly value: T;
  readonly readAt: number;
}

/**
 * Caches what is alive, for seconds: sessions by their id, API keys by their hash. An access change drops the entries it
 * concerns at once, and a read that is under way while one arrives is not cached: it may be older than the change.
 */
export class RevocableCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  /** Reads under way, so that a burst of requests with the same key costs one query. */
  private readonly reads = new Map<string, Promise<T | null>>();
  private changes = 0;

  constructor(private readonly source: RevocableSource<T>) {}

  /** Call it once, when the application starts. */
  follow(accessChanges: AccessChanges): void {
    accessChanges.listen((change) => this.forget(change));
  }

  /** The value that was read within the last two seconds; undefined when `find` would have to read it. */
  findCached(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && performance.now() - entry.readAt < MAX_AGE_MS ? entry.value : undefined;
  }

  /** null when nothing alive has this key; at most two seconds behind the database. */
  async find(key: string): Promise<T | null> {
    const known = this.findCached(key);
    if (known !== undefined) return known;
    const pending = this.reads.get(key);
    if (pending) return pending;
    const read = this.read(key).finally(() => {
      if (this.reads.get(key) === read) this.reads.delete(key);
    });
    this.reads.set(key, read);
    return read;
  }

  private async read(key: string): Promise<T | null> {
    const changesBefore = this.changes;
    const readAt = performance.now();
    const value = await this.source.read(key);
    if (changesBefore !== this.changes) return value;
    this.entries.delete(key);
    if (value) this.keep(key, { value, readAt });
    return value;
  }

  private keep(key: string, entry: Entry<T>): void {
    this.entries.set(key, entry);
    if (this.entries.size <= MAX_ENTRIES) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }

  private forget(change: AccessChange): void {
    this.changes += 1;
    // A caller that asks after the change must not get the answer of a read from before it.
    this.reads.clear();
    for (const [key, { value }] of this.entries) {
      if (this.source.concerns(value, change)) this.entries.delete(key);
    }
  }
}
