import type { Bucket, UploadedPart } from '../storage/object-store/bucket';
import type { CallLimits } from '../storage/object-store/guarded-transport';
import { ObjectStoreFailure } from '../storage/object-store/object-store-failure';

/** An upload whose other half went missing is begun anew so often. */
const UPLOAD_STARTS = 3;
/** Parts of a failed upload are taken away at once or later: nobody waits for it. */
const ABANDON_ANSWER_MS = 8_000;

/** Waits out an outage of the store. */
type Patiently = <T>(signal: AbortSignal | undefined, work: (limits: CallLimits) => Promise<T>) => Promise<T>;

/** Uploads in parts: a broken connection costs one of them, and no more than one is in memory. */
export class ObjectUploads {
  constructor(
    private readonly bucket: Bucket,
    private readonly patiently: Patiently,
  ) {}

  /** @param open begins the parts, in order; the same ones each time */
  async put(
    key: string,
    size: number,
    open: () => AsyncIterable<Buffer>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    // Of a process that was killed while it wrote the same mail; nobody would ever complete them.
    for (const { uploadId } of await this.unfinished(key, signal)) {
      await this.patiently(signal, (limits) => this.bucket.abortUpload(key, uploadId, limits));
    }
    for (let start = 1; ; start += 1) {
      try {
        return await this.putOnce(key, size, open(), signal);
      } catch (error) {
        // Another process writes the same mail at the same time and has removed ours as above.
        const gone = error instanceof ObjectStoreFailure && error.kind === 'no-upload';
        if (!gone || start === UPLOAD_STARTS) throw error;
      }
    }
  }

  /** Keys of mails end in `.eml`, so no mail's key begins another's. */
  async unfinished(prefix: string, signal?: AbortSignal) {
    try {
      return await this.patiently(signal, (limits) => this.bucket.unfinishedUploads(prefix, limits));
    } catch (error) {
      const nothing = error instanceof ObjectStoreFailure && ['no-bucket', 'refused'].includes(error.kind);
      // Some stores do not list uploads, and some access keys may not: their buckets have a rule that removes them.
      if (nothing) return [];
      throw error;
    }
  }

  private async putOnce(
    key: string,
    size: number,
    parts: AsyncIterable<Buffer>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const uploadId = await this.patiently(signal, (limits) => this.bucket.startUpload(key, limits));
    try {
      const uploaded: UploadedPart[] = [];
      for await (const part of parts) {
        const number = uploaded.length + 1;
        uploaded.push(
          await this.patiently(signal, (limits) =>
            this.bucket.uploadPart(key, uploadId, number, part, limits),
          ),
        );
      }
      await this.complete(key, uploadId, uploaded, size, signal);
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
      await this.bucket.abortUpload(key, uploadId, { answerMs: ABANDON_ANSWER_MS });
    } catch (error) {
      // The next write of the same mail, or the nightly sweep, removes them; the upload's failure is the one to report.
      if (!(error instanceof ObjectStoreFailure)) throw error;
    }
  }
}
