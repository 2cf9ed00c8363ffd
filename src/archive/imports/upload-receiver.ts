import busboy from 'busboy';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ClientGone } from '../../platform/http/client-signal';
import { ValidationFailed } from '../../platform/http/domain-error';
import { AppConfig } from '../../platform/config/app-config';
import { TooManyAtOnce } from '../../platform/database/database.errors';
import {
  isDependencyUnavailable,
  isSpaceExhausted,
  isStatementTimeout,
} from '../../platform/logging/system-errors';
import { storableText } from '../mails/writing/mail-to-archive';
import { UploadDirectory } from './upload-directory';
import { MultipartExpected, UploadSpaceExhausted, UploadStalled, UploadTooLarge } from './imports.errors';
import { setInterval } from '../../platform/concurrency/timers';

const FIELD = 'file';
/** Bytes allowed for boundaries, part headers and other fields around the file. */
const MULTIPART_OVERHEAD = 64 * 1024;
/** Time within which a least number of bytes (70 kbit/s), or the rest of the file, must arrive. */
const SPAN_MS = 60_000;
const LEAST_PER_SPAN = 512 * 1024;
/** Most time for an upload; 50 GiB take less at 5 Mbit/s or more. */
const MAX_UPLOAD_MS = 24 * 60 * 60_000;
export const MAX_FILENAME = 255;
/** Bytes between two syncs: a single sync at the end would take minutes. */
const SYNC_EVERY = 256 * 1024 * 1024;
/** Bytes between two checks of the disk's room: far less than is reserved for everything else. */
const ROOM_EVERY = 16 * 1024 * 1024;

/**
 * Time for which an upload goes on, within its granted bytes, while the database does not answer. It is less than the time
 * after which an upload without a sign of life is given up.
 */
const MAX_UNHEARD_MS = 10 * 60_000;

/** An upload to receive. */
export interface UploadToReceive {
  readonly uploadId: string;
  /**
   * Called when it begins, and from time to time while it is under way.
   * @param bytes announced size, or number of bytes that have arrived
   * @returns bytes that the file may have before the next call
   * @throws when it may not have that many
   */
  hold(bytes: number): Promise<number>;
}

/** A file that lies complete in the upload directory. */
export interface ReceivedFile {
  /** Name of the file from the client, without directories. */
  readonly filename: string;
  readonly sizeBytes: number;
  /** SHA-256 of the file, 64 hex digits. */
  readonly sha256: string;
}

/** Writes the one file of a multipart/form-data request to disk, chunk by chunk. */
@Injectable()
export class UploadReceiver {
  constructor(
    private readonly directory: UploadDirectory,
    private readonly config: AppConfig,
  ) {}

  /**
   * Receives the file of a request. No file is left on disk when it throws.
   * @throws MultipartExpected, UploadTooLarge, UploadSpaceExhausted, UploadStalled, ClientGone, ValidationFailed, and
   *   what `upload.hold` throws
   */
  async receive(request: IncomingMessage, upload: UploadToReceive): Promise<ReceivedFile> {
    const limit = this.config.storage.maxUploadBytes;
    if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? ''))
      throw new MultipartExpected();
    const length = request.headers['content-length'];
    const announced = length === undefined ? null : Number(length);
    if (announced !== null && announced > limit + MULTIPART_OVERHEAD) throw new UploadTooLarge(limit);
    const { uploadId } = upload;
    let allowed = -1;
    let heardAt = performance.now();
    const hold = async (bytes: number): Promise<void> => {
      try {
        allowed = await upload.hold(bytes);
        heardAt = performance.now();
      } catch (error) {
        const isGranted = bytes <= allowed && performance.now() - heardAt < MAX_UNHEARD_MS;
        if (!isGranted || !mayPass(error)) throw error;
      }
    };
    const keepRoom = async (written: number): Promise<number> => {
      await hold(Math.max(announced ?? 0, written));
      // A chunked body may end with any chunk, or never: it gets room step by step.
      const ahead = announced === null ? ROOM_EVERY : Math.max(0, announced - written);
      if (!(await this.directory.keepRoom(uploadId, ahead))) throw new UploadSpaceExhausted();
      return allowed;
    };
    try {
      const first = await keepRoom(0);
      return await this.receiveAs(uploadId, request, limit, first, keepRoom);
    } catch (error) {
      await this.directory.delete(uploadId);
      throw isSpaceExhausted(error) ? new UploadSpaceExhausted() : error;
    }
  }

  private async receiveAs(
    uploadId: string,
    request: IncomingMessage,
    limit: number,
    allowed: number,
    keepRoom: (written: number) => Promise<number>,
  ): Promise<ReceivedFile> {
    const received = await parse(request, limit, (file, filename) =>
      this.write(uploadId, file, filename, limit, allowed, keepRoom),
    );
    if (!received) throw wrong('must be sent, as a file');
    if (received.sizeBytes === 0) throw wrong('must not be empty');
    await this.directory.complete(uploadId);
    return received;
  }

  private async write(
    uploadId: string,
    file: Readable & { truncated?: boolean },
    filename: string,
    limit: number,
    firstAllowed: number,
    keepRoom: (written: number) => Promise<number>,
  ): Promise<ReceivedFile> {
    const handle = await this.directory.create(uploadId);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      let unsynced = 0;
      let unchecked = 0;
      let allowed = firstAllowed;
      let checkedAt = performance.now();
      for await (const chunk of file as AsyncIterable<Buffer>) {
        const next = sizeBytes + chunk.length;
        const isDue = unchecked + chunk.length > ROOM_EVERY || performance.now() - checkedAt >= SPAN_MS;
        if (isDue || next > allowed) {
          allowed = await keepRoom(next);
          unchecked = 0;
          checkedAt = performance.now();
        }
        unchecked += chunk.length;
        hash.update(chunk);
        await writeAll(handle, chunk);
        sizeBytes = next;
        unsynced += chunk.length;
        if (unsynced < SYNC_EVERY) continue;
        await handle.datasync();
        unsynced = 0;
      }
      if (file.truncated) throw new UploadTooLarge(limit);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { filename: shownName(filename), sizeBytes, sha256: hash.digest('hex') };
  }
}

/** Reads the request to its end. @returns its file, or null when there was none */
function parse<T>(
  request: IncomingMessage,
  limit: number,
  take: (file: Readable & { truncated?: boolean }, filename: string) => Promise<T>,
): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        defParamCharset: 'utf8',
        fileHwm: 1024 * 1024,
        // A file of exactly the limit is not truncated.
        limits: { fileSize: limit + 1, fields: 20, fieldSize: 64 * 1024, parts: 22, headerPairs: 100 },
      });
    } catch {
      return reject(wrong('must be sent as multipart/form-data with a boundary'));
    }
    let taken: Promise<T> | null = null;
    let settled = false;
    let current: Readable | null = null;
    let arrived = 0;
    let wasBehind = false;
    let elapsedMs = 0;
    const count = (chunk: Buffer): void => {
      arrived += chunk.length;
    };
    const settle = (): boolean => {
      if (settled) return false;
      clearInterval(pace);
      request.off('data', count);
      request.off('close', left);
      return (settled = true);
    };
    const fail = (error: Error): void => {
      if (!settle()) return;
      request.unpipe(parser);
      current?.destroy(error);
      // The file is closed before the answer is given.
      void Promise.resolve(taken)
        .catch(() => undefined)
        .then(() => reject(error));
    };
    const pace = setInterval(() => {
      // No bytes arrive while the disk is behind, which is not the client's fault.
      const isBehind = wasBehind || parser.writableNeedDrain;
      const isTooSlow = arrived < LEAST_PER_SPAN && !request.complete && !isBehind;
      [arrived, wasBehind] = [0, false];
      elapsedMs += SPAN_MS;
      if (isTooSlow) fail(new UploadStalled());
      else if (elapsedMs >= MAX_UPLOAD_MS && !request.complete)
        fail(new UploadStalled('The upload took longer than a day.'));
    }, SPAN_MS);
    const left = (): void => {
      if (!request.complete) fail(new ClientGone());
    };
    request.on('data', count);
    request.once('close', left);
    parser.on('drain', () => (wasBehind = true));
    parser.on('file', (name, file, { filename }) => {
      file.on('error', () => undefined);
      if (name !== FIELD) return fail(wrong('must be the field that holds the file'));
      if (taken) return fail(wrong('must be one file'));
      current = file;
      file.once('limit', () => fail(new UploadTooLarge(limit)));
      taken = take(file, filename);
      taken.catch(fail);
    });
    parser.on('error', () => fail(wrong('must come in a complete multipart/form-data body')));
    parser.on('close', () => {
      Promise.resolve(taken).then((result) => settle() && resolve(result), fail);
    });
    // The client may have left while the room was requested, before a listener was added.
    if (request.destroyed && !request.complete) return fail(new ClientGone());
    request.pipe(parser);
  });
}

/** Whether a failure of the database may be over at the next call: it must not cost an upload of hours. */
const mayPass = (error: unknown): boolean =>
  error instanceof TooManyAtOnce || isDependencyUnavailable(error) || isStatementTimeout(error);

const wrong = (message: string): ValidationFailed =>
  new ValidationFailed([{ field: FIELD, message: `${FIELD} ${message}` }]);

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
}

/** The name of the file for people; a file is never stored under it. */
export function shownName(filename: string | undefined): string {
  const name = storableText((filename ?? '').split(/[\\/]/).pop() ?? '')
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
  return [...(name || 'import.mbox')].slice(0, MAX_FILENAME).join('');
}
