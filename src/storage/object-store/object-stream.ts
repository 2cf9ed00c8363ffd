import { Readable } from 'node:stream';
import type { OpenedObject } from './bucket';
import { ObjectStoreFailure, ObjectStoreTimeout } from './object-store-failure';

/** How long the next bytes may take while the reader waits for them. */
const IDLE_MS = 20_000;
const CHUNK = 64 * 1024;
/** Consecutive connections that may break without a byte. */
const MAX_FRUITLESS = 3;

/** Opens the object again from an offset within the requested range. */
export type Reopen = (offset: number, signal: AbortSignal) => Promise<OpenedObject>;

/**
 * The bytes of an object. A broken connection is replaced by another from the same offset, if the ETag shows the same
 * content. When the reader stops, so does the request. Only the store is timed, never the reader.
 */
export class ObjectStream extends Readable {
  private readonly leaving = new AbortController();
  private received = 0;
  private fruitless = 0;
  private timer: NodeJS.Timeout | undefined;
  private current: OpenedObject | null = null;

  constructor(
    private readonly opened: OpenedObject,
    private readonly reopen: Reopen,
    private readonly describe: (error: unknown) => Error,
  ) {
    super({ highWaterMark: CHUNK });
    this.attach(opened);
  }

  override _read(): void {
    this.current?.body.resume();
    this.startTimer();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.timer);
    this.leaving.abort();
    this.current?.body.destroy();
    callback(error);
  }

  private attach(opened: OpenedObject): void {
    this.current = opened;
    const { body } = opened;
    body.pause();
    body.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      this.fruitless = 0;
      if (this.push(chunk)) return this.startTimer();
      clearTimeout(this.timer);
      body.pause();
    });
    let reason: unknown;
    body.on('error', (error) => (reason = error));
    body.on('close', () => {
      clearTimeout(this.timer);
      if (this.destroyed) return;
      this.current = null;
      if (this.received === this.opened.length) this.push(null);
      else if (this.received > this.opened.length) this.destroy(this.describe(changed()));
      else void this.goOn(reason);
    });
  }

  private async goOn(reason: unknown): Promise<void> {
    try {
      this.fruitless += 1;
      if (this.fruitless > MAX_FRUITLESS) throw connectionLost(reason);
      const next = await this.reopen(this.received, this.leaving.signal);
      if (this.destroyed) return void next.body.destroy();
      if (!isSameContent(next, this.opened) || next.length !== this.opened.length - this.received) {
        next.body.destroy();
        throw changed();
      }
      this.attach(next);
      next.body.resume();
      this.startTimer();
    } catch (error) {
      if (!this.destroyed) this.destroy(this.describe(error));
    }
  }

  private startTimer(): void {
    clearTimeout(this.timer);
    const body = this.current?.body;
    if (body) this.timer = setTimeout(() => body.destroy(new ObjectStoreTimeout('body')), IDLE_MS);
  }
}

/** Storage keys never get new content, but others may write to the bucket: without ETags that would go unnoticed. */
const isSameContent = (one: OpenedObject, other: OpenedObject): boolean =>
  one.etag !== '' && one.etag === other.etag;

const connectionLost = (cause: unknown): ObjectStoreFailure =>
  new ObjectStoreFailure('unavailable', 'it closes the connection again and again', 'endpoint', 0, cause);

const changed = (): ObjectStoreFailure =>
  new ObjectStoreFailure('refused', 'the object changed while it was read', 'bucket');
