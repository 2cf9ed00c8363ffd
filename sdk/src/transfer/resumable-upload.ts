import { MailroomError } from '../errors.js';
import {
  DEFAULT_MAX_WAIT_SECONDS,
  DEFAULT_TRIES,
  type RetryOptions,
  waitBeforeNext,
} from '../http/retries.js';
import { delay } from '../http/waiting.js';
import type { Schemas } from '../operations/operation-types.js';
import { ChunkSizes } from './chunk-sizes.js';
import { nameFile } from './upload.js';

/** A file of which any part can be read at any time: a file of a browser, or `fs.openAsBlob(path)`. */
export type ResumableFile = Blob | { readonly content: Blob; readonly filename: string };

/** Progress of an upload. */
export interface UploadProgress {
  /** Id to continue the upload later, or elsewhere. */
  readonly uploadId: string;
  /** Number of bytes that have arrived. */
  readonly sent: number;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

export interface UploadFileOptions {
  /** Id of an upload of the same file that was begun before, to continue it. */
  readonly uploadId?: string;
  /** Called as soon as the upload has an id, and after each chunk that has arrived. */
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Stops sending. The part that has arrived is kept for a day: continue with `uploadId`, or call `import.deleteUpload`. */
  readonly signal?: AbortSignal;
}

type Upload = Schemas['ResumableUploadResponse'];

/** Operations that an upload uses. */
export interface UploadCalls {
  readonly create: (filename: string, size: number) => Promise<Upload>;
  readonly read: (uploadId: string) => Promise<Upload>;
  readonly send: (uploadId: string, offset: number, bytes: Uint8Array) => Promise<Upload>;
  readonly complete: (uploadId: string) => Promise<{ readonly jobId: string }>;
}

/** Pause between two checks whether the other request has ended, in milliseconds. */
const BUSY_MS = 1_000;

/** Sends a file chunk by chunk, and starts its import. One chunk of it is in memory at a time. */
export class ResumableUpload {
  private readonly tries: number;
  private readonly maxWaitMs: number;

  constructor(
    private readonly calls: UploadCalls,
    retries: RetryOptions = {},
    private readonly options: UploadFileOptions = {},
  ) {
    this.tries = retries.tries ?? DEFAULT_TRIES;
    this.maxWaitMs = (retries.maxWaitSeconds ?? DEFAULT_MAX_WAIT_SECONDS) * 1000;
  }

  /**
   * Sends the file and starts its import.
   * @throws MailroomError, TypeError for another file than the one that was begun with, what reading the file throws, the
   *   signal's reason, and what `fetch` throws when there is no connection for good
   */
  async run(file: ResumableFile): Promise<{ jobId: string }> {
    const { filename } = nameFile(file);
    const content = 'content' in file ? file.content : file;
    let upload = await this.begin(filename, content.size);
    const sizes = new ChunkSizes(upload.chunkBytes);
    this.report(upload);
    while (upload.offset < upload.size) {
      upload = await this.sendNext(upload, content, sizes);
      this.report(upload);
    }
    return this.calls.complete(upload.id);
  }

  private async begin(filename: string, size: number): Promise<Upload> {
    const { uploadId } = this.options;
    if (uploadId === undefined) return this.calls.create(filename, size);
    const upload = await this.calls.read(uploadId);
    if (upload.size === size) return upload;
    throw new TypeError(`Upload ${uploadId} was begun with a file of ${upload.size} bytes, not of ${size}`);
  }

  /** Sends one chunk, repeatedly if necessary: after a failure the service says how much of it has arrived. */
  private async sendNext(from: Upload, content: Blob, sizes: ChunkSizes): Promise<Upload> {
    const { signal } = this.options;
    const busy = { waitedMs: 0 };
    let upload = from;
    for (let tried = 1; ; tried += 1) {
      // The chunk is read before it is sent: a file that cannot be read any more is not taken for a lost connection.
      const part = content.slice(upload.offset, upload.offset + sizes.bytes);
      const bytes = new Uint8Array(await part.arrayBuffer());
      signal?.throwIfAborted();
      const begun = Date.now();
      try {
        const next = await this.calls.send(upload.id, upload.offset, bytes);
        sizes.recordArrival(Date.now() - begun);
        return next;
      } catch (error) {
        signal?.throwIfAborted();
        const isBusy = hasCode(error, 'upload-busy');
        const waitMs = isBusy ? this.waitForOther(busy) : this.waitAfter(error, tried);
        if (waitMs === null) throw error;
        await delay(waitMs, signal);
        upload = await this.calls.read(upload.id);
        if (upload.offset > from.offset) return upload;
        if (isBusy) tried -= 1;
      }
    }
  }

  /** Milliseconds until the next try, or null when there must be none. */
  private waitAfter(error: unknown, tried: number): number | null {
    if (tried >= this.tries) return null;
    if (hasCode(error, 'upload-offset-wrong')) return 0;
    // The request broke off on its way, whichever side noticed first.
    const brokeOff = error instanceof MailroomError && error.status === 408;
    const waitMs = waitBeforeNext(brokeOff ? new TypeError() : error, 'safe', tried);
    return waitMs !== null && waitMs <= this.maxWaitMs ? waitMs : null;
  }

  /** After a lost connection the service may take a while to notice that the last chunk has ended. */
  private waitForOther(busy: { waitedMs: number }): number | null {
    busy.waitedMs += BUSY_MS;
    return busy.waitedMs <= this.maxWaitMs && this.tries > 1 ? BUSY_MS : null;
  }

  private report({ id, offset, size }: Upload): void {
    this.options.onProgress?.({ uploadId: id, sent: offset, size });
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof MailroomError && error.code === code;
