import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { Arrived } from '../../platform/arrivals/arrivals';
import type { Pace } from '../../platform/concurrency/pace-watch';
import type { Bucket, OpenedObject } from '../buckets/object-store/bucket';
import type { CallLimits } from '../buckets/object-store/guarded-transport';
import { LISTING_START, type ListingPosition } from '../buckets/object-store/listing-position';
import { ObjectStoreFailure } from '../buckets/object-store/object-store-failure';
import { ObjectStream } from '../buckets/object-store/object-stream';
import { OutageRetry } from '../buckets/object-store/outage-retry';
import {
  ArchiveBucketMissing,
  ArchiveStoreEndless,
  ArchiveStoreFull,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ObjectMissing,
} from './archive-store.errors';
import type {
  ArchiveStore,
  ByteRange,
  PutOptions,
  ReadOptions,
  RemoveUnfinishedOptions,
  ReadWholeOptions,
  StoredObject,
  WalkOptions,
} from './archive-store.port';
import { ObjectUploads } from './object-uploads';
import { requireLength, regroup } from './streamed-bytes';

const MIB = 1024 * 1024;
/** Size of the parts in which larger mails are uploaded, so that a broken connection costs one part. */
const PART = 16 * MIB;
/** Size of the parts of a stream, whose bytes are gathered first. Stores take no parts below 5 MiB but the last. */
const STREAMED_PART = 8 * MIB;
/** Time limit of a call of a job, in milliseconds. Jobs also wait out an outage. */
const JOB_ANSWER_MS = 30_000;
/** Time limit of a call of a request, for which a user waits, in milliseconds. */
const REQUEST_ANSWER_MS = 8_000;
const REQUEST_RETRY_MS = 4_000;
/** Time for which a deletion is retried; objects that cannot be deleted then are deleted later. */
const DELETE_RETRY_MS = 2_000;

/** Time for reopening one object after its first connection, as a multiple of the longest wait for a connection. */
const REOPENINGS = 2;

/** Settings for reading objects. */
export interface ReadingFromStore {
  readonly pace: Pace;
  /** Writes bytes to disk, counted against the limits of the bucket's owner. */
  arrive(bytes: number, source: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<Arrived>;
}

/**
 * Mail in a bucket. Writing, listing and hashing, which jobs do, wait out an outage of the store for the configured
 * time; opening and reading, which people wait for, a few seconds. Interrupted calls may be repeated:
 * objects are whole or not there, and a repeated write puts the same bytes under the same key.
 */
export class ObjectArchiveStore implements ArchiveStore {
  private readonly outage = new OutageRetry();
  private readonly uploads: ObjectUploads;

  constructor(
    private readonly bucket: Bucket,
    private readonly retryMs: number,
    private readonly reading: ReadingFromStore,
  ) {
    this.uploads = new ObjectUploads(bucket, (signal, work) => this.retry(signal, work));
  }

  async put(key: string, bytes: Buffer, { signal }: PutOptions = {}): Promise<void> {
    // Each request in flight adds a listener.
    if (signal) setMaxListeners(0, signal);
    await this.convertErrors(() =>
      this.retryInExistingBucket(signal, () =>
        bytes.length > PART
          ? this.uploads.put(key, bytes.length, slices(bytes), signal)
          : this.retry(signal, (limits) => this.bucket.put(key, bytes, limits)),
      ),
    );
  }

  async putStream(
    key: string,
    size: number,
    open: () => AsyncIterable<Buffer>,
    { signal }: PutOptions = {},
  ): Promise<void> {
    if (signal) setMaxListeners(0, signal);
    await this.convertErrors(() =>
      this.retryInExistingBucket(signal, () =>
        this.uploads.put(key, size, regroup(requireLength(size, open()), STREAMED_PART), signal),
      ),
    );
  }

  async get(key: string, range?: ByteRange, options: ReadOptions = {}): Promise<Readable> {
    const { room, signal } = options;
    if (range && range.end < range.start) {
      if (!(await this.exists(key))) throw new ObjectMissing();
      return Readable.from([]);
    }
    const stream = await this.open(key, range, options);
    if (!room || !(stream instanceof ObjectStream)) return stream;
    const arrived = await this.reading.arrive(stream.length, stream, signal);
    try {
      await room();
    } catch (error) {
      await arrived.close();
      throw error;
    }
    return arrived.stream();
  }

  async read(key: string, { atMost, ...options }: ReadWholeOptions = {}): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.get(key, first(atMost), options)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  exists(key: string): Promise<boolean> {
    // A bucket that is not there is an error: an archive is not lost because of a wrong name.
    return this.convertErrors(
      async () => (await this.retry(undefined, (limits) => this.bucket.sizeOf(key, limits))) !== null,
    );
  }

  async hash(
    key: string,
    { signal, atMost }: Pick<ReadWholeOptions, 'signal' | 'atMost'> = {},
  ): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await this.get(key, first(atMost), { retryOutages: true, signal }))
      hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  delete(key: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const waitMs = Math.min(DELETE_RETRY_MS, this.retryMs);
    const limits = { answerMs: JOB_ANSWER_MS, signal };
    return this.convertErrors(() =>
      this.outage.call({ waitMs, signal }, () => this.bucket.remove(key, limits)),
    );
  }

  async *list(prefix: string, { signal, budget }: WalkOptions = {}): AsyncIterable<StoredObject> {
    if (signal) setMaxListeners(0, signal);
    for (let position: ListingPosition | null = LISTING_START; position !== null;) {
      const from: ListingPosition = position;
      const ask = () => this.retry(signal, (limits) => this.bucket.listPage(prefix, from, limits));
      const page = await this.convertErrors(() => (budget ? budget.spend(ask) : ask()));
      yield* page.objects;
      position = page.next;
    }
  }

  removeUnfinished(prefix: string, options: RemoveUnfinishedOptions = {}): Promise<void> {
    return this.convertErrors(() => this.uploads.removeUnfinished(prefix, options));
  }

  /** Ends every connection. */
  close(): void {
    this.bucket.close();
  }

  /** Opens an object; the caller's signal ends the stream at any point. */
  private open(
    key: string,
    range: ByteRange | undefined,
    { retryOutages, signal: caller }: ReadOptions,
  ): Promise<Readable> {
    if (caller) setMaxListeners(0, caller);
    const { start, end } = range ?? { start: 0, end: undefined };
    const open = (offset: number, leaving?: AbortSignal): Promise<OpenedObject> => {
      const signals = [caller, leaving].filter((signal) => signal !== undefined);
      const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      const work = (limits: CallLimits): Promise<OpenedObject> =>
        this.bucket.open(key, start + offset, end, limits);
      return retryOutages ? this.retry(signal, work) : this.retryBriefly(signal, work);
    };
    const waitMs = retryOutages ? this.retryMs + JOB_ANSWER_MS : REQUEST_RETRY_MS + REQUEST_ANSWER_MS;
    const limits = { pace: this.reading.pace, reopeningMs: REOPENINGS * waitMs };
    return this.convertErrors(async () => {
      try {
        return endWith(caller, new ObjectStream(await open(0), open, describe, limits));
      } catch (error) {
        if (error instanceof ObjectStoreFailure && error.kind === 'out-of-range') return Readable.from([]);
        throw error;
      }
    });
  }

  private async retryInExistingBucket(
    signal: AbortSignal | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ObjectStoreFailure) || error.kind !== 'no-bucket') throw error;
      await this.retry(signal, (limits) => this.bucket.create(limits));
      await work();
    }
  }

  private retry<T>(signal: AbortSignal | undefined, work: (limits: CallLimits) => Promise<T>): Promise<T> {
    const limits = { answerMs: JOB_ANSWER_MS, signal };
    return this.outage.call({ waitMs: this.retryMs, signal }, () => work(limits));
  }

  private retryBriefly<T>(
    signal: AbortSignal | undefined,
    work: (limits: CallLimits) => Promise<T>,
  ): Promise<T> {
    const limits = { answerMs: REQUEST_ANSWER_MS, signal };
    const waitMs = Math.min(REQUEST_RETRY_MS, this.retryMs);
    return this.outage.call({ waitMs, signal }, () => work(limits));
  }

  private async convertErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw describe(error);
    }
  }
}

const first = (bytes: number | undefined): ByteRange | undefined =>
  bytes === undefined ? undefined : { start: 0, end: bytes - 1 };

async function* slices(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let offset = 0; offset < bytes.length; offset += PART) yield bytes.subarray(offset, offset + PART);
}

function endWith(signal: AbortSignal | undefined, stream: ObjectStream): ObjectStream {
  if (!signal) return stream;
  const end = (): void => void stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return stream.once('close', () => signal.removeEventListener('abort', end));
}

function describe(error: unknown): Error {
  if (!(error instanceof ObjectStoreFailure)) return error as Error;
  if (error.kind === 'no-object') return new ObjectMissing(error);
  if (error.kind === 'endless') return new ArchiveStoreEndless(error);
  if (error.kind === 'full') return new ArchiveStoreFull(error);
  if (error.kind === 'no-bucket') return new ArchiveBucketMissing(error.reason, error);
  if (error.kind === 'unavailable') return new ArchiveStoreUnavailable(error.reason, error);
  return new ArchiveStoreRefused(error.reason, error);
}
