import { Client } from 'minio';
import { createHash } from 'node:crypto';
import type { IncomingMessage, request } from 'node:http';
import type { EgressGuard } from '../../../platform/egress/egress-guard';
import { type CallLimits, GuardedTransport } from './guarded-transport';
import { LISTING_PAGE, type ListingPosition, positionAfter } from './listing-position';
import { explainFailure, ObjectStoreFailure, ObjectStoreProtocolError } from './object-store-failure';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store-location';

export interface BucketObject {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** A part of an upload that has arrived. */
export interface UploadedPart {
  readonly part: number;
  readonly etag: string;
}

export interface UnfinishedUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly startedAt: Date;
}

/** An object that is being read. */
export interface OpenedObject {
  readonly body: IncomingMessage;
  readonly etag: string;
  /** Number of bytes in `body`. */
  readonly length: number;
}

/** A character that no key contains. The library always sends a delimiter, and not every store treats an empty one as none. */
const NO_DELIMITER = '|';

/**
 * One bucket of an object store (the S3 protocol). Every method is one request, within limits and without retries.
 * @throws ObjectStoreFailure for any failure of the store, or the signal's reason
 */
export class Bucket {
  private readonly client: Client;
  private readonly transport: GuardedTransport;
  private readonly name: string;
  private readonly region: string;

  /** @param userId owner of the bucket */
  constructor(
    location: ObjectStoreLocation,
    credentials: ObjectStoreCredentials,
    guard: EgressGuard,
    userId: string,
  ) {
    const { protocol, hostname, port } = guard.checkUrl(location.endpoint);
    this.transport = new GuardedTransport(guard, userId, protocol === 'https:');
    this.name = location.bucket;
    this.region = location.region;
    this.client = new Client({
      endPoint: hostname.replace(/^\[|\]$/g, ''),
      port: port ? Number(port) : protocol === 'https:' ? 443 : 80,
      useSSL: protocol === 'https:',
      region: location.region,
      accessKey: credentials.accessKeyId,
      secretKey: credentials.secretAccessKey,
      pathStyle: location.forcePathStyle,
      transport: { request: this.transport.request as typeof request },
      retryOptions: { disableRetry: true },
    });
  }

  /** Ends every connection. */
  close(): void {
    this.transport.close();
  }

  /** Creates the bucket; succeeds when it exists already. */
  async create(limits: CallLimits): Promise<void> {
    try {
      await this.call(limits, () => this.client.makeBucket(this.name, this.region));
    } catch (error) {
      if (!(error instanceof ObjectStoreFailure) || error.kind !== 'bucket-exists') throw error;
    }
  }

  /** Writes an object in one request; the store refuses bytes that do not match the checksum sent along. */
  async put(key: string, bytes: Buffer, limits: CallLimits): Promise<void> {
    await this.call(limits, () => this.client.putObject(this.name, key, bytes, bytes.length));
  }

  startUpload(key: string, limits: CallLimits): Promise<string> {
    return this.call(limits, () => this.client.initiateNewMultipartUpload(this.name, key, {}));
  }

  /** @param part counted from 1 */
  async uploadPart(
    key: string,
    uploadId: string,
    part: number,
    bytes: Buffer,
    limits: CallLimits,
  ): Promise<UploadedPart> {
    const headers = { 'Content-MD5': createHash('md5').update(bytes).digest('base64') };
    const upload = {
      bucketName: this.name,
      objectName: key,
      uploadID: encodeURIComponent(uploadId),
      partNumber: part,
      headers,
    };
    const { etag } = await this.call(limits, () => this.client.uploadPart(upload, bytes));
    return { part, etag };
  }

  async completeUpload(
    key: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    limits: CallLimits,
  ): Promise<void> {
    await this.call(limits, () => this.client.completeMultipartUpload(this.name, key, uploadId, [...parts]));
  }

  /** Aborts an upload; succeeds when there is none. */
  async abortUpload(key: string, uploadId: string, limits: CallLimits): Promise<void> {
    const id = encodeURIComponent(uploadId);
    await this.call(limits, () => this.client.abortMultipartUpload(this.name, key, id)).catch(
      ignoreMissing(undefined),
    );
  }

  /** A page of the uploads under a prefix that were neither completed nor aborted. @throws the errors of `listPage` */
  async listUnfinishedUploads(
    prefix: string,
    from: ListingPosition,
    limits: CallLimits,
  ): Promise<{ uploads: UnfinishedUpload[]; next: ListingPosition | null }> {
    return this.readListing(limits, async () => {
      const answer = await this.client.listIncompleteUploadsQuery(
        this.name,
        prefix,
        from.token,
        // Pages end between keys: the library does not tell where in the uploads of one key a page has ended.
        '',
        NO_DELIMITER,
      );
      const uploads = answer.uploads.map(({ key, uploadId, initiated }) => ({
        key,
        uploadId,
        startedAt: new Date(initiated ?? 0),
      }));
      const keys = uploads.map(({ key }) => key);
      const next = answer.isTruncated ? String(answer.nextKeyMarker) : null;
      return { uploads, next: positionAfter(prefix, from, { keys, next, repeats: true }) };
    });
  }

  /**
   * @param end last byte, inclusive: a longer answer is refused; undefined: the end of the object
   */
  async open(key: string, start: number, end: number | undefined, limits: CallLimits): Promise<OpenedObject> {
    const length = end === undefined ? 0 : end - start + 1;
    const ranged = start > 0 || length > 0;
    return this.call({ ...limits, streamed: true }, async () => {
      // The declared type is a general stream; it is the response itself.
      const body = (await this.client.getPartialObject(this.name, key, start, length)) as IncomingMessage;
      const announced = Number(body.headers['content-length'] ?? NaN);
      const isRange = !ranged || body.statusCode === 206;
      const isWithin = end === undefined || announced <= length;
      if (!Number.isSafeInteger(announced) || !isRange || !isWithin) {
        body.destroy();
        throw new ObjectStoreProtocolError('The answer has no length, or is not the range asked for.');
      }
      return { body, etag: body.headers.etag ?? '', length: announced };
    });
  }

  /**
   * Size of an object in bytes. Requests its first byte: a response to HEAD does not distinguish a missing object from a missing
   * bucket, and stores that send a body with it break the connection.
   * @returns null when there is no such object
   */
  async sizeOf(key: string, limits: CallLimits): Promise<number | null> {
    try {
      const { headers } = (await this.call(limits, () =>
        this.client.getPartialObject(this.name, key, 0, 1),
      )) as IncomingMessage;
      const size = Number(/\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length']);
      if (Number.isSafeInteger(size)) return size;
    } catch (error) {
      if (!(error instanceof ObjectStoreFailure)) throw error;
      if (error.kind === 'no-object') return null;
      // An empty object has no first byte.
      if (error.kind === 'out-of-range') return 0;
      throw error;
    }
    throw new ObjectStoreFailure('refused', 'it does not tell how large an object is');
  }

  /** Deletes an object; succeeds when there is no such object, or no such bucket. */
  async remove(key: string, limits: CallLimits): Promise<void> {
    await this.call(limits, () => this.client.removeObject(this.name, key)).catch(ignoreMissing(undefined));
  }

  /**
   * A page of the objects under a prefix; empty when there is no such bucket.
   * @param from `LISTING_START` for the first page
   * @throws ObjectStoreFailure of the kind `endless` when the listing makes no progress
   */
  async listPage(
    prefix: string,
    from: ListingPosition,
    limits: CallLimits,
  ): Promise<{ objects: BucketObject[]; next: ListingPosition | null }> {
    try {
      return await this.readListing(limits, async () => {
        const answer = await this.client.listObjectsV2Query(
          this.name,
          prefix,
          from.token,
          '',
          LISTING_PAGE,
          '',
        );
        const objects = answer.objects.flatMap(({ name, size, lastModified }) =>
          name === undefined
            ? []
            : [
                {
                  key: name,
                  size: Number.isSafeInteger(size) ? size : 0,
                  modifiedAt: lastModified ?? new Date(0),
                },
              ],
        );
        const keys = objects.map(({ key }) => key);
        const next = answer.isTruncated ? String(answer.nextContinuationToken) : null;
        return { objects, next: positionAfter(prefix, from, { keys, next }) };
      });
    } catch (error) {
      return ignoreMissing({ objects: [], next: null })(error);
    }
  }

  private readListing<T>(limits: CallLimits, work: () => Promise<T>): Promise<T> {
    return this.call(limits, async () => {
      try {
        return await work();
      } catch (error) {
        // The library throws these errors for a listing whose keys are not encoded, or are no text.
        if (['TypeError', 'URIError'].includes((error as Error).name)) {
          throw new ObjectStoreProtocolError('The listing cannot be read.', { cause: error });
        }
        throw error;
      }
    });
  }

  private async call<T>(limits: CallLimits, work: () => Promise<T>): Promise<T> {
    limits.signal?.throwIfAborted();
    try {
      return await this.transport.within(limits, work);
    } catch (error) {
      limits.signal?.throwIfAborted();
      throw explainFailure(error) ?? error;
    }
  }
}

/** Makes a handler that replaces the failure of a missing object by `value`. */
function ignoreMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    const absence = ['no-object', 'no-bucket', 'no-upload'];
    if (error instanceof ObjectStoreFailure && absence.includes(error.kind)) return value;
    throw error;
  };
}
