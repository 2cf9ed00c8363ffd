import { Readable } from 'node:stream';
import { type Pace, PaceWatch } from '../../../platform/concurrency/pace-watch';
import type { OpenedObject } from './bucket';
import { ObjectStoreFailure, ObjectStoreTimeout } from './object-store-failure';

const CHUNK = 64 * 1024;
/** Consecutive connections that may break without a byte. */
const MAX_FRUITLESS = 3;
/** Connections of one object that may fall below the pace: a stalled one is replaced, a slow store is given up. */
const MAX_SLOW = 2;

export interface StreamLimits {
  readonly pace: Pace;
  /** Total time of all openings after the first, in milliseconds: a store may break each connection after a byte. */
  readonly reopeningMs: number;
}

/** Opens the object again from an offset within the requested range. */
export type Reopen = (offset: number, signal: AbortSignal) => Promise<OpenedObject>;

/**
 * The bytes of an object. A broken connection is replaced by another from the same offset, if the ETag shows the same
 * content. When the reader stops, so does the request. Only the store is timed, never the reader: the
 * size of the object bounds the time of the store.
 */
export class ObjectStream extends Readable {
  private readonly leaving = new AbortController();
  private received = 0;
  private fruitless = 0;
  private slow = 0;
  private reopeningMs = 0;
  private watch: PaceWatch | null = null;
  private current: OpenedObject | null = null;

  constructor(
    private readonly opened: OpenedObject,
    private readonly reopen: Reopen,
    private readonly describe: (error: unknown) => Error,
    private readonly limits: StreamLimits,
  ) {
    super({ highWaterMark: CHUNK });
    // A holder that does not read yet gets the error when it reads.
    this.on('error', () => undefined);
    this.attach(opened);
  }

  /** Number of bytes in the stream. */
  get length(): number {
    return this.opened.length;
  }

  override _read(): void {
    this.current?.body.resume();
    this.watch?.startWaiting();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.watch?.pause();
    this.leaving.abort();
    this.current?.body.destroy();
    callback(error);
  }

  private attach(opened: OpenedObject): void {
    this.current = opened;
    const { body } = opened;
    const watch = new PaceWatch(this.limits.pace, () => {
      this.slow += 1;
      body.destroy(new ObjectStoreTimeout('body'));
    });
    this.watch = watch;
    body.pause();
    body.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      this.fruitless = 0;
      watch.recordBytes(chunk.length);
      if (this.push(chunk)) return;
      watch.pause();
      body.pause();
    });
    let reason: unknown;
    body.on('error', (error) => (reason = error));
    body.on('close', () => {
      watch.pause();
      if (this.destroyed) return;
      this.current = null;
      if (this.received === this.opened.length) this.push(null);
      else if (this.received > this.opened.length) this.destroy(this.describe(buildObjectChangedError()));
      else void this.continueReading(reason);
    });
  }

  private async continueReading(reason: unknown): Promise<void> {
    try {
      this.fruitless += 1;
      if (this.slow > MAX_SLOW || this.reopeningMs > this.limits.reopeningMs) throw tooSlow(reason);
      if (this.fruitless > MAX_FRUITLESS) throw connectionLost(reason);
      const since = performance.now();
      const next = await this.reopen(this.received, this.leaving.signal);
      this.reopeningMs += performance.now() - since;
      if (this.destroyed) return void next.body.destroy();
      if (!isSameContent(next, this.opened) || next.length !== this.opened.length - this.received) {
        next.body.destroy();
        throw buildObjectChangedError();
      }
      this.attach(next);
      next.body.resume();
      this.watch?.startWaiting();
    } catch (error) {
      if (!this.destroyed) this.destroy(this.describe(error));
    }
  }
}

/** Storage keys never get new content, but others may write to the bucket: without ETags that would go unnoticed. */
const isSameContent = (one: OpenedObject, other: OpenedObject): boolean =>
  one.etag !== '' && one.etag === other.etag;

const connectionLost = (cause: unknown): ObjectStoreFailure =>
  new ObjectStoreFailure('unavailable', 'it closes the connection again and again', 'endpoint', 0, cause);

const tooSlow = (cause: unknown): ObjectStoreFailure =>
  new ObjectStoreFailure('unavailable', 'it sends its objects too slowly', 'endpoint', 0, cause);

const buildObjectChangedError = (): ObjectStoreFailure =>
  new ObjectStoreFailure('refused', 'the object changed while it was read', 'bucket');
