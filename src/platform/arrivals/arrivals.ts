import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppConfig } from '../config/app-config';
import { isSpaceExhausted } from '../logging/system-errors';
import { ArrivalsDiskFull, ArrivalTooLarge } from './arrivals.errors';
import { FairSemaphore } from '../concurrency/fair-semaphore';
import type { Share } from '../concurrency/semaphore';

const MIB = 1024 * 1024;
/** Disk that bytes on their way may take: a few of the largest messages for each of several users. */
const SPACE = { capacity: 2_048 * MIB, perKey: 512 * MIB };
const READ_CHUNK = 256 * 1024;

/** Bytes that are here, on disk; to be read once or closed. */
export class Arrived {
  private isClosed = false;

  constructor(
    readonly length: number,
    private readonly file: FileHandle,
    private readonly space: Share,
  ) {}

  /** All of them, in one buffer. */
  async read(): Promise<Buffer> {
    try {
      const bytes = Buffer.allocUnsafeSlow(this.length);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await this.file.read(bytes, at, bytes.length - at, at);
        if (bytesRead === 0) throw new Error('A file nobody else knows has become shorter.');
        at += bytesRead;
      }
      return bytes;
    } finally {
      await this.close();
    }
  }

  /** Closed with the stream, also when that is destroyed before its end. */
  stream(): Readable {
    const stream = createReadStream('', { fd: this.file, start: 0, highWaterMark: READ_CHUNK });
    this.isClosed = true;
    return stream.once('close', () => this.space.release());
  }

  /** A second call does nothing. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.space.release();
    await this.file.close();
  }
}

/**
 * Receives bytes of hosts that users choose. They go to disk until all of them are here, and take memory only then: a
 * host that is slow holds none, for however long it takes. The files have no names, so that nothing is left of them
 * when the process dies. See ADR 45.
 */
@Injectable()
export class Arrivals {
  private readonly space = new FairSemaphore(SPACE);
  private readonly directory: string;

  constructor(config: AppConfig) {
    this.directory = join(config.storage.dataDir, 'arriving');
  }

  /** Bytes of disk in use. */
  get inUse(): number {
    return this.space.inUse;
  }

  /**
   * @param userId whose host it is
   * @param announced the number of bytes there should be; the source sees to it that they are not many more
   * @throws ArrivalTooLarge for more than one user's share, ArrivalsDiskFull, the signal's reason, and what the source
   *   throws
   */
  async receive(
    userId: string,
    announced: number,
    source: AsyncIterable<Buffer>,
    signal?: AbortSignal,
  ): Promise<Arrived> {
    // A reservation of this size would wait for all others to end, and then keep every other user out.
    if (announced > SPACE.perKey) throw new ArrivalTooLarge();
    const space = await this.space.reserve(userId, announced, signal);
    let file: FileHandle | undefined;
    try {
      file = await this.create();
      let length = 0;
      for await (const chunk of source) {
        signal?.throwIfAborted();
        length += chunk.length;
        if (length > SPACE.perKey) throw new ArrivalTooLarge();
        if (length > announced) space.resize(length);
        await file.writeFile(chunk);
      }
      return new Arrived(length, file, space);
    } catch (error) {
      space.release();
      await file?.close();
      throw isSpaceExhausted(error) ? new ArrivalsDiskFull(error) : error;
    }
  }

  private async create(): Promise<FileHandle> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const path = join(this.directory, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  }
}
