import { Injectable } from '@nestjs/common';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { type Pace, PaceWatch } from '../../../platform/concurrency/pace-watch';
import { ClientGone } from '../../../platform/http/client-signal';
import { isSpaceExhausted } from '../../../platform/logging/system-errors';
import { UploadChunkTooLarge, UploadSpaceExhausted, UploadStalled } from '../imports.errors';
import { UploadDirectory } from '../upload-directory';

/** Least pace of a chunk, the same as that of uploads in one request. */
const PACE: Pace = { graceMs: 60_000, bytesPerSecond: (512 * 1024) / 60 };
/** Bytes of a request's body in memory, besides those that are being written to disk. */
const BUFFERED = 1024 * 1024;

/** A part of a file to receive. */
export interface ChunkToReceive {
  readonly uploadId: string;
  /** Offset of the chunk in the file. */
  readonly offset: number;
  /** Most bytes that the chunk may have. */
  readonly most: number;
  /** Signal that is aborted when another request may write to the file. */
  readonly signal: AbortSignal;
}

export interface ReceivedChunk {
  /** Number of bytes that are durably on disk. */
  readonly bytes: number;
  /** Error that ended the chunk early; null: the request has ended. */
  readonly failure: Error | null;
}

/** Writes the body of a request into the file of its upload. Bytes of a request that breaks off are kept. */
@Injectable()
export class ChunkReceiver {
  constructor(private readonly directory: UploadDirectory) {}

  /**
   * @throws UploadChunkTooLarge, UploadSpaceExhausted, UploadMissing, before anything is received; the failures of the
   *   disk
   */
  async receive(request: IncomingMessage, chunk: ChunkToReceive): Promise<ReceivedChunk> {
    const { uploadId, offset, most } = chunk;
    const announced = Number(request.headers['content-length'] ?? most);
    if (announced > most) throw new UploadChunkTooLarge(most);
    if (!(await this.directory.keepRoom(uploadId, announced))) throw new UploadSpaceExhausted();
    try {
      const file = await this.directory.reopen(uploadId, offset);
      try {
        const received = await write(request, file, chunk);
        if (received.bytes > 0) await file.datasync();
        return received;
      } finally {
        await file.close();
      }
    } catch (error) {
      throw isSpaceExhausted(error) ? new UploadSpaceExhausted() : error;
    } finally {
      this.directory.releaseRoom(uploadId);
    }
  }
}

async function write(
  request: IncomingMessage,
  file: FileHandle,
  { offset, most, signal }: ChunkToReceive,
): Promise<ReceivedChunk> {
  const body = new PassThrough({ highWaterMark: BUFFERED });
  const end = (error: Error): void => {
    request.unpipe(body);
    body.destroy(error);
  };
  const abort = (): void => end(signal.reason as Error);
  const left = (): void => {
    if (!request.complete) end(new ClientGone());
  };
  const pace = new PaceWatch(PACE, () => end(new UploadStalled()));
  signal.addEventListener('abort', abort);
  request.once('close', left);
  let bytes = 0;
  try {
    signal.throwIfAborted();
    // The client may have left before a listener was added.
    if (request.destroyed && !request.complete) throw new ClientGone();
    request.pipe(body);
    pace.startWaiting();
    for await (const piece of body as AsyncIterable<Buffer>) {
      pace.pause();
      pace.recordBytes(piece.length);
      if (bytes + piece.length > most) throw new UploadChunkTooLarge(most);
      await writeAll(file, piece, offset + bytes);
      bytes += piece.length;
      pace.startWaiting();
    }
    return { bytes, failure: null };
  } catch (failure) {
    return { bytes, failure: failure as Error };
  } finally {
    pace.pause();
    signal.removeEventListener('abort', abort);
    request.off('close', left);
    request.unpipe(body);
  }
}

async function writeAll(file: FileHandle, piece: Buffer, position: number): Promise<void> {
  for (let at = 0; at < piece.length;) {
    at += (await file.write(piece, at, piece.length - at, position + at)).bytesWritten;
  }
}
