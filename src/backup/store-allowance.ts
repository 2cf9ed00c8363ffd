import { setMaxListeners } from 'node:events';
import { type Pace, PaceWatch } from '../common/concurrency/pace-watch';

/** How long a backup waits for object stores, in milliseconds; tests inject shorter ones. */
export class BackupTimings {
  /** For one store, beside a running service; what it has copied by then need not be copied the next time. */
  readonly storeMs: number = 120 * 60_000;
  /** For one store with the database's snapshot open: that keeps PostgreSQL from cleaning up. */
  readonly snapshotStoreMs: number = 10 * 60_000;
  /** The slowest store waited for. */
  readonly pace: Pace = { graceMs: 60_000, bytesPerSecond: 64_000 };
  /** Bytes that a mail counts for beside its own: finding it takes time too. */
  readonly mailBytes: number = 16_000;
}

/** The store is not asked any more in this backup. */
export class StoreTooSlow extends Error {
  constructor() {
    super('The object store is too slow for a backup.');
  }
}

/** What the reads of one store, however many at a time, may take together. */
export class StoreAllowance {
  private readonly stopped = new AbortController();
  private readonly watches: readonly PaceWatch[];
  private readonly paced: PaceWatch;
  private under = 0;

  constructor(
    private readonly timings: Pick<BackupTimings, 'pace' | 'mailBytes'>,
    totalMs: number,
  ) {
    setMaxListeners(0, this.stopped.signal);
    const stop = (): void => this.stopped.abort(new StoreTooSlow());
    this.paced = new PaceWatch(timings.pace, stop);
    // Nothing is ever received by it: it counts the time.
    const total = new PaceWatch({ graceMs: totalMs, bytesPerSecond: 1 }, stop);
    this.watches = [this.paced, total];
  }

  get isUsedUp(): boolean {
    return this.stopped.signal.aborted;
  }

  /** @throws StoreTooSlow, also midway */
  async spend(read: (signal: AbortSignal) => Promise<AsyncIterable<Buffer>>): Promise<Buffer> {
    const { signal } = this.stopped;
    signal.throwIfAborted();
    this.under += 1;
    for (const watch of this.watches) watch.wait();
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of await read(signal)) {
        chunks.push(chunk);
        this.paced.received(chunk.length);
      }
      this.paced.received(this.timings.mailBytes);
      return Buffer.concat(chunks);
    } finally {
      this.under -= 1;
      if (this.under === 0) for (const watch of this.watches) watch.rest();
    }
  }
}
