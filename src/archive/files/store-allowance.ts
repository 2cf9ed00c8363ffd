import { setMaxListeners } from 'node:events';
import { type Pace, PaceWatch } from '../../platform/concurrency/pace-watch';
import { ArchiveStoreUnavailable } from './archive-store.errors';

/** Bytes that an object counts for besides its own, because finding it takes time too. */
const OBJECT_BYTES = 16_000;

export interface StoreAllowanceLimits {
  /** Total time that the reads of one store may take. */
  readonly totalMs: number;
  /** Pace of the slowest store that is waited for. */
  readonly pace: Pace;
}

/** The store has used up its time. */
export class StoreTooSlow extends ArchiveStoreUnavailable {
  constructor() {
    super('it is too slow');
  }
}

/**
 * Limits the total time of the reads of one store, however many run at a time, in work that goes through the stores of
 * many users: a slow store must not keep the others waiting.
 */
export class StoreAllowance {
  private readonly stopped = new AbortController();
  private readonly watches: readonly PaceWatch[];
  private readonly paced: PaceWatch;
  private under = 0;

  constructor({ pace, totalMs }: StoreAllowanceLimits) {
    setMaxListeners(0, this.stopped.signal);
    const stop = (): void => this.stopped.abort(new StoreTooSlow());
    this.paced = new PaceWatch(pace, stop);
    // It never receives bytes: it counts the time.
    const total = new PaceWatch({ graceMs: totalMs, bytesPerSecond: 1 }, stop);
    this.watches = [this.paced, total];
  }

  get isUsedUp(): boolean {
    return this.stopped.signal.aborted;
  }

  /**
   * The bytes of an object.
   * @param open ends with the signal it is given, also midway
   * @throws StoreTooSlow, the caller's reason, and what the store throws
   */
  async *readStream(
    open: (signal: AbortSignal) => Promise<AsyncIterable<Buffer>>,
    caller?: AbortSignal,
  ): AsyncGenerator<Buffer, void, undefined> {
    const stopped = this.stopped.signal;
    stopped.throwIfAborted();
    this.under += 1;
    for (const watch of this.watches) watch.startWaiting();
    try {
      for await (const chunk of await open(caller ? AbortSignal.any([stopped, caller]) : stopped)) {
        this.paced.recordBytes(chunk.length);
        yield chunk;
      }
      this.paced.recordBytes(OBJECT_BYTES);
    } finally {
      this.under -= 1;
      if (this.under === 0) for (const watch of this.watches) watch.pause();
    }
  }

  /** The bytes of an object, read into memory. */
  async read(open: (signal: AbortSignal) => Promise<AsyncIterable<Buffer>>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.readStream(open)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}
