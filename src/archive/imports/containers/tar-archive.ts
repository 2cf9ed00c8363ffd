import { type Archive, type ArchiveMember, damagedPart, memberName } from './archive-member';
import { type ByteSource, ExtentSource, PassingSource } from './byte-source';
import {
  ARCHIVE_CUT_OFF,
  ARCHIVE_DAMAGED,
  ARCHIVE_UNENDED,
  compressionUnsupported,
  type ReadDamage,
} from './read-damage';
import { readLongName, readPaxRecords, readTarHeader, TAR_BLOCK, type TarHeader } from './tar-header';

/** Most bytes of the extended header of a member. */
const MAX_EXTENDED = 1024 * 1024;
/** Bytes read at a time for headers of an archive on disk. */
const HEADERS_READ = 16 * 1024;

/** Whether a file begins with the header of a member: the checksum of its first block is right. */
export function isTar(start: Buffer): boolean {
  if (start.length < TAR_BLOCK || start[0] === 0) return false;
  const header = readTarHeader(start.subarray(0, TAR_BLOCK));
  return header !== null && header !== 'damaged';
}

/**
 * A tar archive (POSIX.1-2001 pax, ustar, GNU, V7). In an archive on disk, members lie on disk as well, and what is not
 * read is passed over; any other archive passes by from beginning to end. Behind a damaged header, reading goes on at the next
 * one whose checksum is right. See ADR 110.
 */
export class TarArchive implements Archive {
  damage: ReadDamage | null = null;

  constructor(
    private readonly source: ByteSource,
    private readonly signal: AbortSignal,
  ) {}

  async *members(): AsyncGenerator<ArchiveMember, void, undefined> {
    this.damage = null;
    const cursor = this.source.extent
      ? new DiskCursor(new ExtentSource(this.source.extent))
      : new PassingCursor(this.source.open(0));
    let pax: ReadonlyMap<string, string> = new Map();
    let longName: string | null = null;
    // Where a damaged part began: no header is found from there on.
    let damagedFrom: number | null = null;
    let isEnded = false;
    try {
      for (;;) {
        this.signal.throwIfAborted();
        const at = cursor.offset;
        const block = await cursor.read(TAR_BLOCK);
        if (block.length < TAR_BLOCK) {
          // An extension describes the file after it.
          const isCut = block.length > 0 || pax.size > 0 || longName !== null;
          const damage = damagedFrom === null ? null : ARCHIVE_DAMAGED;
          const end = isEnded ? null : ARCHIVE_UNENDED;
          this.damage = this.source.damage ?? damage ?? (isCut ? ARCHIVE_CUT_OFF : end);
          return;
        }
        const header = readTarHeader(block);
        // Empty blocks end an archive; archives that were written one behind the other go on after them.
        isEnded = header === null;
        if (header === null) continue;
        if (header === 'damaged') {
          damagedFrom ??= at;
          [pax, longName] = [new Map<string, string>(), null];
          continue;
        }
        if (damagedFrom !== null) {
          yield damagedPart(damagedFrom);
          damagedFrom = null;
        }
        if (isExtension(header)) {
          if (header.size > MAX_EXTENDED) {
            damagedFrom = at;
            continue;
          }
          const body = await cursor.read(header.size);
          if (body.length < header.size) {
            this.damage = ARCHIVE_CUT_OFF;
            return;
          }
          await cursor.skip(paddingOf(header.size));
          if (header.type === 'pax') pax = readPaxRecords(body);
          else if (header.type === 'longName') longName = readLongName(body);
          continue;
        }
        const size = Number(pax.get('size') ?? header.size);
        if (!Number.isSafeInteger(size) || size < 0) {
          damagedFrom = at;
          [pax, longName] = [new Map<string, string>(), null];
          continue;
        }
        const name = memberName(pax.get('path') ?? longName ?? header.name);
        const isSparse =
          header.type === 'sparse' || [...pax.keys()].some((key) => key.startsWith('GNU.sparse'));
        [pax, longName] = [new Map<string, string>(), null];
        const end = cursor.offset + size + paddingOf(size);
        const source = cursor.memberOf(size);
        yield memberOf(name, header, source, isSparse);
        if (!(await cursor.skip(end - cursor.offset)) && cursor.offset < end - paddingOf(size)) {
          this.damage = this.source.damage ?? ARCHIVE_CUT_OFF;
          return;
        }
      }
    } finally {
      await cursor.close();
    }
  }
}

function memberOf(name: string, { type }: TarHeader, source: ByteSource, isSparse: boolean): ArchiveMember {
  if (isSparse)
    return { name, type: 'file', source: null, damage: compressionUnsupported('a sparse file of tar') };
  if (type === 'file') return { name, type, source, damage: null };
  return { name, type: type === 'directory' ? type : 'other', source: null, damage: null };
}

const isExtension = ({ type }: TarHeader): boolean =>
  type === 'pax' || type === 'longName' || type === 'extension';

const paddingOf = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;

/** Reads an archive from its beginning on. */
interface Cursor {
  readonly offset: number;
  /** The next bytes; fewer at the end. */
  read(length: number): Promise<Buffer>;
  /** Passes over bytes. @returns whether there are as many */
  skip(length: number): Promise<boolean>;
  /** The next bytes as a file. */
  memberOf(size: number): ByteSource;
  close(): Promise<void>;
}

class DiskCursor implements Cursor {
  offset = 0;
  private window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(private readonly source: ExtentSource) {}

  async read(length: number): Promise<Buffer> {
    const { start, bytes } = this.window;
    const at = this.offset - start;
    if (at < 0 || at + length > bytes.length) {
      const pieceSize = Math.max(length, HEADERS_READ);
      const pieces = this.source.open(this.offset, pieceSize);
      this.window = { start: this.offset, bytes: (await pieces.next()).value ?? Buffer.alloc(0) };
      await pieces.return();
      return this.take(0, length);
    }
    return this.take(at, length);
  }

  private take(at: number, length: number): Buffer {
    const found = this.window.bytes.subarray(at, at + length);
    this.offset += found.length;
    return Buffer.from(found);
  }

  async skip(length: number): Promise<boolean> {
    const end = this.offset + length;
    this.offset = Math.min(end, this.source.size);
    return end <= this.source.size;
  }

  memberOf(size: number): ByteSource {
    const { extent } = this.source;
    const held = Math.max(0, Math.min(size, this.source.size - this.offset));
    const damage = held < size ? ARCHIVE_CUT_OFF : null;
    extent.position.bytesRead = extent.start + this.offset;
    return new ExtentSource({ ...extent, start: extent.start + this.offset, size: held }, damage);
  }

  async close(): Promise<void> {}
}

class PassingCursor implements Cursor {
  offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly bytes: AsyncGenerator<Buffer, void, undefined>) {}

  async read(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = length; left > 0;) {
      const piece = await this.next(left);
      if (!piece) break;
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  async skip(length: number): Promise<boolean> {
    for (let left = length; left > 0;) {
      const piece = await this.next(left);
      if (!piece) return false;
      left -= piece.length;
    }
    return true;
  }

  memberOf(size: number): ByteSource {
    const end = this.offset + size;
    // Consumers that stop early leave the archive open, which goes on with the next member.
    const bytes = async function* (this: PassingCursor): AsyncGenerator<Buffer, void, undefined> {
      while (this.offset < end) {
        const piece = await this.next(end - this.offset);
        if (!piece) {
          source.damage = ARCHIVE_CUT_OFF;
          return;
        }
        yield piece;
      }
    }.bind(this)();
    const source = new PassingSource(bytes, size);
    return source;
  }

  /** The next bytes, at most `most`; null at the end. */
  private async next(most: number): Promise<Buffer | null> {
    if (this.rest.length === 0) {
      const { done, value } = await this.bytes.next();
      if (done) return null;
      this.rest = value;
    }
    const piece = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(piece.length);
    this.offset += piece.length;
    return piece;
  }

  async close(): Promise<void> {
    await this.bytes.return();
  }
}
