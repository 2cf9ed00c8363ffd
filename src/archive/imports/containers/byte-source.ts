import type { FileHandle } from 'node:fs/promises';
import type { ReadDamage } from './read-damage';

const READ_SIZE = 1024 * 1024;

/** The place up to which a file on disk has been read. */
export interface ReadingPosition {
  /** Offset in the file on disk. */
  bytesRead: number;
}

/** A stretch of a file on disk. */
export interface Extent {
  readonly path: string;
  readonly handle: FileHandle;
  readonly start: number;
  readonly size: number;
  /** Size of the whole file on disk. */
  readonly fileSize: number;
  readonly position: ReadingPosition;
}

/** The bytes of one file: on disk, in an archive, or compressed. */
export interface ByteSource {
  /** The stretch of a file on disk in which the bytes lie as they are; null: they do not. */
  readonly extent: Extent | null;
  /** Number of bytes; null: not known. */
  readonly size: number | null;
  /** Whether the bytes can be opened again. Otherwise `open` is called once, and `peek` before it. */
  readonly canReopen: boolean;
  /** Reason why the bytes could not be read to their end; null: none. */
  readonly damage: ReadDamage | null;
  /** Whether a checksum of the bytes was wrong, once they have been read to their end. */
  readonly isChecksumWrong: boolean;
  /** The first bytes; fewer when there are no more. */
  peek(length: number): Promise<Buffer>;
  /**
   * The bytes from an offset on.
   * @param pieceSize most bytes read from a disk at a time
   */
  open(from: number, pieceSize?: number): AsyncGenerator<Buffer, void, undefined>;
}

/** Bytes that lie on disk as they are. */
export class ExtentSource implements ByteSource {
  readonly size: number;
  readonly canReopen = true;
  readonly isChecksumWrong = false;

  /** @param damage known before the bytes are read, e.g. that the file on disk ends too early */
  constructor(
    readonly extent: Extent,
    readonly damage: ReadDamage | null = null,
  ) {
    this.size = extent.size;
  }

  peek(length: number): Promise<Buffer> {
    return readStart(this.open(0), length);
  }

  async *open(from: number, pieceSize = READ_SIZE): AsyncGenerator<Buffer, void, undefined> {
    const { handle, start, size, position } = this.extent;
    position.bytesRead = start + from;
    for (let at = from; at < size;) {
      const buffer = Buffer.allocUnsafe(Math.min(pieceSize, size - at));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, start + at);
      if (bytesRead === 0) return;
      at += bytesRead;
      position.bytesRead = start + at;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** Bytes that are made again for each reading, e.g. by decompressing them. */
export abstract class MadeSource implements ByteSource {
  readonly extent = null;
  readonly canReopen = true;
  abstract readonly size: number | null;
  damage: ReadDamage | null = null;
  isChecksumWrong = false;

  peek(length: number): Promise<Buffer> {
    return readStart(this.open(0), length);
  }

  async *open(from: number): AsyncGenerator<Buffer, void, undefined> {
    let at = 0;
    for await (const chunk of this.make()) {
      const start = Math.max(0, from - at);
      at += chunk.length;
      if (start < chunk.length) yield chunk.subarray(start);
    }
  }

  /** All bytes. Sets `damage` and `isChecksumWrong`. */
  protected abstract make(): AsyncGenerator<Buffer, void, undefined>;
}

/** Bytes that pass by once. Those that were looked at are kept until they are read. */
export class PassingSource implements ByteSource {
  readonly extent = null;
  readonly canReopen = false;
  readonly isChecksumWrong = false;
  damage: ReadDamage | null = null;
  private kept: Buffer[] = [];

  constructor(
    private readonly bytes: AsyncGenerator<Buffer, void, undefined>,
    readonly size: number | null,
  ) {}

  async peek(length: number): Promise<Buffer> {
    let held = this.kept.reduce((sum, chunk) => sum + chunk.length, 0);
    while (held < length) {
      const { done, value } = await this.bytes.next();
      if (done) break;
      this.kept.push(value);
      held += value.length;
    }
    this.kept = [Buffer.concat(this.kept)];
    return this.kept[0]!.subarray(0, length);
  }

  async *open(from: number): AsyncGenerator<Buffer, void, undefined> {
    let at = 0;
    const rest = (chunk: Buffer): Buffer => {
      const start = Math.min(chunk.length, Math.max(0, from - at));
      at += chunk.length;
      return chunk.subarray(start);
    };
    for (let chunk = this.kept.shift(); chunk; chunk = this.kept.shift()) {
      const piece = rest(chunk);
      if (piece.length > 0) yield piece;
    }
    for await (const chunk of this.bytes) {
      const piece = rest(chunk);
      if (piece.length > 0) yield piece;
    }
  }
}

async function readStart(bytes: AsyncGenerator<Buffer, void, undefined>, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let held = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    held += piece.length;
    if (held >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}

/** The bytes of a source in pieces that a decompressor can be given one by one. */
export async function* smallPieces(
  source: ByteSource,
  size: number,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source.open(0, size)) {
    for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
  }
}

/** All bytes of a source; null when there are more than `most`. */
export async function readWhole(source: ByteSource, most: number): Promise<Buffer | null> {
  if (source.size !== null && source.size > most) return null;
  const pieces: Buffer[] = [];
  let held = 0;
  for await (const piece of source.open(0)) {
    held += piece.length;
    if (held > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
