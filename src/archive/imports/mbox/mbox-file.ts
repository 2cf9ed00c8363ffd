import { createReadStream } from 'node:fs';
import { FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { MboxUnpacksTooLarge, UploadMissing } from '../imports.errors';
import { COMPRESSION_DAMAGED, CUT_OFF, type MboxDamage } from './mbox-damage';

const MIB = 1024 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);
const READ_SIZE = MIB;
/** Bytes of a compressed file read at a time: even a bomb makes at most 16 MiB of them, and no more is lost before a damage. */
const PACKED_READ_SIZE = 16 * 1024;
/** Size of the decompressor's buffer: more than it ever holds, as it is emptied after each piece. */
const UNPACKED_ROOM = 256 * MIB;
/** Greatest ratio of unpacked to packed bytes, beyond small files: mail packs to a third, logs to a twentieth. */
const MAX_RATIO = 200;
const FREE_OF_RATIO = 64 * MIB;

export interface MboxFileLimits {
  /** Most bytes that a compressed file may unpack to. */
  readonly maxUnpackedBytes: number;
}

/** A file on disk that holds an mbox, plain or compressed with gzip (RFC 1952, any number of members). */
export class MboxFile {
  /** Bytes of the file on disk that have been read. */
  bytesRead = 0;
  /** Offset in the mbox, unpacked, up to which it has been read. */
  readTo = 0;
  /** Reason why a compressed file could not be read to its end; null: none. */
  damage: MboxDamage | null = null;

  private constructor(
    private readonly path: string,
    /** Size of the file on disk in bytes. */
    readonly size: number,
    private readonly isPacked: boolean,
    private readonly limits: MboxFileLimits,
  ) {}

  /** @throws UploadMissing */
  static async open(path: string, limits: MboxFileLimits): Promise<MboxFile> {
    let handle: FileHandle;
    try {
      handle = await open(path, 'r');
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new UploadMissing() : error;
    }
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
      return new MboxFile(path, size, bytesRead === GZIP.length && buffer.equals(GZIP), limits);
    } finally {
      await handle.close();
    }
  }

  /** The first bytes of the mbox, unpacked. */
  async readSample(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of this.chunks(0)) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= length) break;
    }
    return Buffer.concat(pieces).subarray(0, length);
  }

  /**
   * The mbox from an offset on, unpacked. A damaged compressed file is read up to 16 KiB before the damage; `damage` is
   * set then.
   * @throws MboxUnpacksTooLarge
   */
  async *chunks(from: number): AsyncGenerator<Buffer> {
    if (!this.isPacked) {
      this.bytesRead = from;
      for await (const chunk of this.read(from, READ_SIZE)) {
        this.bytesRead += chunk.length;
        this.readTo = this.bytesRead;
        yield chunk;
      }
      return;
    }
    this.bytesRead = 0;
    this.readTo = 0;
    for await (const chunk of this.unpack()) {
      const start = Math.max(0, from - this.readTo);
      this.readTo += chunk.length;
      if (start < chunk.length) yield chunk.subarray(start);
    }
  }

  private read(start: number, highWaterMark: number): AsyncIterable<Buffer> {
    return createReadStream(this.path, { start, highWaterMark });
  }

  private async *unpack(): AsyncGenerator<Buffer> {
    const gunzip = createGunzip({
      chunkSize: 256 * 1024,
      readableHighWaterMark: UNPACKED_ROOM,
    } as Parameters<typeof createGunzip>[0]);
    const state: { failure: NodeJS.ErrnoException | null; wake: () => void } = {
      failure: null,
      wake: () => undefined,
    };
    const wake = (): void => state.wake();
    gunzip.on('readable', wake).on('end', wake);
    gunzip.on('error', (error: NodeJS.ErrnoException) => {
      state.failure = error;
      wake();
    });
    const isOver = (): boolean => state.failure !== null || gunzip.readableEnded;
    // After a failure, or with data after the last member, the decompressor does not report the end of a piece.
    const unpackedBy = async function* (begin: (done: () => void) => void): AsyncGenerator<Buffer> {
      let isDone = false;
      begin(() => {
        isDone = true;
        wake();
      });
      for (;;) {
        for (let piece = gunzip.read() as Buffer | null; piece; piece = gunzip.read() as Buffer | null) {
          yield piece;
        }
        if (isDone || isOver()) return;
        await new Promise<void>((resolve) => (state.wake = resolve));
      }
    };
    let unpacked = 0;
    try {
      for await (const packed of this.read(0, PACKED_READ_SIZE)) {
        this.bytesRead += packed.length;
        for await (const piece of unpackedBy((done) => gunzip.write(packed, done))) {
          unpacked += piece.length;
          this.checkExpansion(unpacked);
          yield piece;
        }
        if (isOver()) break;
      }
      if (!isOver()) yield* unpackedBy(() => gunzip.end());
    } finally {
      gunzip.destroy();
    }
    if (state.failure) this.damage = damageOf(state.failure);
  }

  private checkExpansion(unpacked: number): void {
    const isBomb = unpacked > FREE_OF_RATIO && unpacked > this.bytesRead * MAX_RATIO;
    if (isBomb || unpacked > this.limits.maxUnpackedBytes) throw new MboxUnpacksTooLarge();
  }
}

/** The damage behind a failure of zlib; any other failure is one of the disk, and thrown. */
function damageOf(error: NodeJS.ErrnoException): MboxDamage {
  if (error.code === 'Z_BUF_ERROR') return CUT_OFF;
  if (error.code?.startsWith('Z_')) return COMPRESSION_DAMAGED;
  throw error;
}
