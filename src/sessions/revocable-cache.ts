import type { AccessChange, AccessChanges } from './access-changes';

/** Longest a process may go by what it read. */
const MAX_AGE_MS = 2_000;
const MAX_ENTRIES = 10_000;

export interface RevocableSource<T> {
  /** Reads the database; null when there is nothing alive under `key`. */
  read(key: string): Promise<T | null>;
  /** Whether a change may have made a copy wrong. */
  concerns(copy: T, change: AccessChange): boolean;
}

interface Entry<T> {
  readonly copy: T;
  readonly readAt: number;
}

/**
 * What is alive, as this process last read it: sessions by their id, API keys by their hash. An access change drops what
 * it concerns at once, and what is being read while one arrives is not kept: it may be older than the change.
 */
export class RevocableCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  /** Reads under way, so that a burst of requests with the same key costs one query. */
  private readonly reads = new Map<string, Promise<T | null>>();
  private changes = 0;

  constructor(private readonly source: RevocableSource<T>) {}

  /** To be called once, when the application starts. */
  follow(accessChanges: AccessChanges): void {
    accessChanges.listen((change) => this.forget(change));
  }

  /** null when nothing is alive under the key; at most two seconds behind the database. */
  async find(key: string): Promise<T | null> {
    const entry = this.entries.get(key);
    if (entry && performance.now() - entry.readAt < MAX_AGE_MS) return entry.copy;
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
    const copy = await this.source.read(key);
    if (changesBefore !== this.changes) return copy;
    this.entries.delete(key);
    if (copy) this.keep(key, { copy, readAt });
    return copy;
  }

  private keep(key: string, entry: Entry<T>): void {
    this.entries.set(key, entry);
    if (this.entries.size <= MAX_ENTRIES) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }

  private forget(change: AccessChange): void {
    this.changes += 1;
    // Whoever asks after the change must not be answered by a read from before it.
    this.reads.clear();
    for (const [key, { copy }] of this.entries) {
      if (this.source.concerns(copy, change)) this.entries.delete(key);
    }
  }
}
