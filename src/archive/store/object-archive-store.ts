import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { Bucket, UploadedPart } from '../../storage/objstore/bucket';
import type { CallLimits } from '../../storage/objstore/guarded-transport';
import { ObjectStoreFailure } from '../../storage/objstore/object-store-failure';
import { ObjectStream } from '../../storage/objstore/object-stream';
import { OutagePatience } from '../../storage/objstore/outage-patience';
import {
  ArchiveStoreFull,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ObjectMissing,
} from './archive-store.errors';
import type { ArchiveStore, ByteRange, PutOptions, StoredObject } from './archive-store.port';

const MIB = 1024 * 1024;
/** Larger mails go up in parts of this size, so that a broken connection costs one part. */
const PART = 16 * MIB;
/** Work of jobs: may take this long, and an outage is waited out. */
const PATIENT_ANSWER_MS = 30_000;
/** Somebody waits in front of a screen. */
const BRIEF_ANSWER_MS = 8_000;
const BRIEF_PATIENCE_MS = 4_000;
/** What cannot be deleted now is deleted later. */
const DELETE_PATIENCE_MS = 2_000;
/** An upload whose other half went missing is begun anew so often. */
const UPLOAD_STARTS = 3;

/**
 * Mail in a bucket. Writing, listing and hashing, which jobs do, wait out an outage of the store for the configured
 * time; opening and reading, which people wait for, a few seconds. Whatever was interrupted may be repeated:
 * objects are whole or not there, and a repeated write puts the same bytes under the same key.
 */
export class ObjectArchiveStore implements ArchiveStore {
  private readonly outage = new OutagePatience();

  constructor(
    private readonly bucket: Bucket,
    private readonly patienceMs: number,
  ) {}

  async put(key: string, bytes: Buffer, { signal }: PutOptions = {}): Promise<void> {
    // Each request in flight listens to it.
    if (signal) setMaxListeners(0, signal);
    await this.domainErrors(() =>
      this.inExistingBucket(signal, () =>
        bytes.length > PART
          ? this.putInParts(key, bytes, signal)
          : this.patiently(signal, (limits) => this.bucket.put(key, bytes, limits)),
      ),
    );
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const start = range?.start ?? 0;
    if (range && range.end < start) {
      if (!(await this.exists(key))) throw new ObjectMissing();
      return Readable.from([]);
    }
    return this.domainErrors(async () => {
      const open = (offset: number, signal?: AbortSignal) =>
        this.briefly(signal, (limits) => this.bucket.open(key, start + offset, range?.end, limits));
      try {
        return new ObjectStream(await open(0), open, describe);
      } catch (error) {
        if (error instanceof ObjectStoreFailure && error.kind === 'out-of-range') return Readable.from([]);
        throw error;
      }
    });
  }

  async read(key: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.get(key)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  exists(key: string): Promise<boolean> {
    // A bucket that is not there is an error: an archive is not lost because of a wrong name.
    return this.domainErrors(
      async () => (await this.patiently(undefined, (limits) => this.bucket.sizeOf(key, limits))) !== null,
    );
  }

  async hash(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await this.openPatiently(key)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  delete(key: string): Promise<void> {
    const patienceMs = Math.min(DELETE_PATIENCE_MS, this.patienceMs);
    const limits = { answerMs: PATIENT_ANSWER_MS };
    return this.domainErrors(() => this.outage.call({ patienceMs }, () => this.bucket.remove(key, limits)));
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    for (let token: string | null = ''; token !== null;) {
      const from: string = token;
      const page = await this.domainErrors(() =>
        this.patiently(undefined, (limits) => this.bucket.page(prefix, from, limits)),
      );
      yield* page.objects;
      token = page.next;
    }
  }

  async removeUnfinished(prefix: string, startedBefore?: Date): Promise<void> {
    await this.domainErrors(async () => {
      const uploads = await this.unfinished(prefix);
      for (const { key, uploadId, startedAt } of uploads) {
        if (startedBefore && startedAt >= startedBefore) continue;
        await this.patiently(undefined, (limits) => this.bucket.abortUpload(key, uploadId, limits));
      }
    });
  }

  /** Ends every connection. */
  close(): void {
    this.bucket.close();
  }

  private openPatiently(key: string): Promise<Readable> {
    return this.domainErrors(async () => {
      const open = (offset: number, signal?: AbortSignal) =>
        this.patiently(signal, (limits) => this.bucket.open(key, offset, undefined, limits));
      return new ObjectStream(await open(0), open, describe);
    });
  }

  private async putInParts(key: string, bytes: Buffer, signal: AbortSignal | undefined): Promise<void> {
    // Of a process that was killed while it wrote the same mail; nobody would ever complete them.
    for (const { uploadId } of await this.unfinished(key, signal)) {
      await this.patiently(signal, (limits) => this.bucket.abortUpload(key, uploadId, limits));
    }
    for (let start = 1; ; start += 1) {
      try {
        return await this.uploadOnce(key, bytes, signal);
      } catch (error) {
        // Another process writes the same mail at the same time and has removed ours as above.
        const gone = error instanceof ObjectStoreFailure && error.kind === 'no-upload';
        if (!gone || start === UPLOAD_STARTS) throw error;
      }
    }
  }

  private async uploadOnce(key: string, bytes: Buffer, signal: AbortSignal | undefined): Promise<void> {
    const uploadId = await this.patiently(signal, (limits) => this.bucket.startUpload(key, limits));
    try {
      const parts: UploadedPart[] = [];
      for (let offset = 0; offset < bytes.length; offset += PART) {
        const part = bytes.subarray(offset, offset + PART);
        const number = parts.length + 1;
        parts.push(
          await this.patiently(signal, (limits) =>
            this.bucket.uploadPart(key, uploadId, number, part, limits),
          ),
        );
      }
      await this.complete(key, uploadId, parts, bytes.length, signal);
    } catch (error) {
      await this.abandon(key, uploadId);
      throw error;
    }
  }

  private async complete(
    key: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    size: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      await this.patiently(signal, (limits) => this.bucket.completeUpload(key, uploadId, parts, limits));
    } catch (error) {
      // Repeated after an answer was lost: the first request had completed it.
      if (!(error instanceof ObjectStoreFailure) || error.kind !== 'no-upload') throw error;
      if ((await this.patiently(signal, (limits) => this.bucket.sizeOf(key, limits))) !== size) throw error;
    }
  }

  /** Takes away the parts of an upload that has failed, if the store can be reached. */
  private async abandon(key: string, uploadId: string): Promise<void> {
    try {
      await this.bucket.abortUpload(key, uploadId, { answerMs: BRIEF_ANSWER_MS });
    } catch (error) {
      // The next write of the same mail removes them; the failure of the upload is the one to report.
      if (!(error instanceof ObjectStoreFailure)) throw error;
    }
  }

  /** Keys of mails end in `.eml`, so no mail's key begins another's. */
  private async unfinished(prefix: string, signal?: AbortSignal) {
    try {
      return await this.patiently(signal, (limits) => this.bucket.unfinishedUploads(prefix, limits));
    } catch (error) {
      const nothing = error instanceof ObjectStoreFailure && ['no-bucket', 'refused'].includes(error.kind);
      // Some stores do not list uploads, and some access keys may not: their buckets have a rule that removes them.
      if (nothing) return [];
      throw error;
    }
  }

  private async inExistingBucket(signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ObjectStoreFailure) || error.kind !== 'no-bucket') throw error;
      await this.patiently(signal, (limits) => this.bucket.create(limits));
      await work();
    }
  }

  private patiently<T>(
    signal: AbortSignal | undefined,
    work: (limits: CallLimits) => Promise<T>,
  ): Promise<T> {
    const limits = { answerMs: PATIENT_ANSWER_MS, signal };
    return this.outage.call({ patienceMs: this.patienceMs, signal }, () => work(limits));
  }

  private briefly<T>(signal: AbortSignal | undefined, work: (limits: CallLimits) => Promise<T>): Promise<T> {
    const limits = { answerMs: BRIEF_ANSWER_MS, signal };
    const patienceMs = Math.min(BRIEF_PATIENCE_MS, this.patienceMs);
    return this.outage.call({ patienceMs, signal }, () => work(limits));
  }

  private async domainErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw describe(error);
    }
  }
}

function describe(error: unknown): Error {
  if (!(error instanceof ObjectStoreFailure)) return error as Error;
  if (error.kind === 'no-object') return new ObjectMissing(error);
  if (error.kind === 'full') return new ArchiveStoreFull(error);
  if (error.kind === 'unavailable') return new ArchiveStoreUnavailable(error.reason, error);
  return new ArchiveStoreRefused(error.reason, error);
}
