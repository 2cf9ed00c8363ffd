import type { Bucket, UploadedPart } from '../buckets/object-store/bucket';
import type { CallLimits } from '../buckets/object-store/guarded-transport';
import { LISTING_START, type ListingPosition } from '../buckets/object-store/listing-position';
import { ObjectStoreFailure } from '../buckets/object-store/object-store-failure';
import type { RemoveUnfinishedOptions } from './archive-store.port';

/** Time limit for removing the parts of a failed upload, in milliseconds. Otherwise they are removed later. */
const ABANDON_ANSWER_MS = 8_000;

/** Waits out an outage of the store. */
type Retrying = <T>(signal: AbortSignal | undefined, work: (limits: CallLimits) => Promise<T>) => Promise<T>;

/** Uploads objects in parts: a broken connection costs one part, and no more than one is in memory. */
export class ObjectUploads {
  constructor(
    private readonly bucket: Bucket,
    private readonly retrying: Retrying,
  ) {}

  /** Aborts uploads under a prefix that have begun and not ended. @throws the error of a budget that is used up */
  async removeUnfinished(
    prefix: string,
    { isAbandoned = () => true, signal, budget }: RemoveUnfinishedOptions,
  ): Promise<void> {
    const call = <T>(work: (limits: CallLimits) => Promise<T>): Promise<T> => {
      const ask = () => this.retrying(signal, work);
      return budget ? budget.spend(ask) : ask();
    };
    for (let position: ListingPosition | null = LISTING_START; position !== null;) {
      const from: ListingPosition = position;
      const page = await call((limits) => this.bucket.listUnfinishedUploads(prefix, from, limits)).catch(
        ifNotListed({ uploads: [], next: null }),
      );
      for (const { key, uploadId, startedAt } of page.uploads) {
        if (!isAbandoned({ key, startedAt })) continue;
        await call((limits) => this.bucket.abortUpload(key, uploadId, limits));
      }
      position = page.next;
    }
  }

  async put(
    key: string,
    size: number,
    parts: AsyncIterable<Buffer>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const uploadId = await this.retrying(signal, (limits) => this.bucket.startUpload(key, limits));
    try {
      const uploaded: UploadedPart[] = [];
      for await (const part of parts) {
        const number = uploaded.length + 1;
        uploaded.push(
          await this.retrying(signal, (limits) =>
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
      await this.retrying(signal, (limits) => this.bucket.completeUpload(key, uploadId, parts, limits));
    } catch (error) {
      // The request is repeated after its answer was lost: the first one had completed the upload.
      if (!(error instanceof ObjectStoreFailure) || error.kind !== 'no-upload') throw error;
      if ((await this.retrying(signal, (limits) => this.bucket.sizeOf(key, limits))) !== size) throw error;
    }
  }

  /** Removes the parts of a failed upload, if the store can be reached. */
  private async abandon(key: string, uploadId: string): Promise<void> {
    try {
      await this.bucket.abortUpload(key, uploadId, { answerMs: ABANDON_ANSWER_MS });
    } catch (error) {
      // The deletion of the key, or the nightly check, removes them; the upload's failure is the one to report.
      if (!(error instanceof ObjectStoreFailure)) throw error;
    }
  }
}

/** Some stores do not list uploads, and some access keys may not: their buckets have a rule that removes them. */
const ifNotListed =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (error instanceof ObjectStoreFailure && ['no-bucket', 'refused'].includes(error.kind)) return nothing;
    throw error;
  };
