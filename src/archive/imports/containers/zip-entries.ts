import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { type ByteSource, type Extent, ExtentSource, MadeSource, smallPieces } from './byte-source';
import { inflate, INFLATE_OPTIONS, PACKED_PIECE } from './inflate';
import { CUT_OFF, MEMBER_DAMAGED, type ReadDamage } from './read-damage';
import type { UnpackBudget } from './unpack-budget';

/** Numbers of compressions (APPNOTE.TXT 4.4.5). */
export const STORED = 0;
export const DEFLATED = 8;
/** Names of compressions that some programs use. */
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink', 6: 'Implode', 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd', 99: 'AES',
}; // prettier-ignore
/** Entries of at most this size, packed and unpacked, are unpacked in one step: most mails are. */
const SMALL_PACKED = 128 * 1024;
const SMALL_UNPACKED = 1024 * 1024;
/** Least size of the buffer that zlib unpacks to. */
const MIN_CHUNK = 64;

const inflateWhole = promisify(inflateRaw) as (
  bytes: Buffer,
  options: { maxOutputLength: number; chunkSize: number },
) => Promise<Buffer>;

export const methodName = (method: number): string => METHODS[method] ?? `method ${method}`;

/** The bytes of an entry, as its header states them. */
export interface ZipEntryBytes {
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly crc32: number;
}

/** Whether an entry is unpacked in one step. */
export const isSmall = ({ compressedSize, uncompressedSize }: ZipEntryBytes): boolean =>
  compressedSize <= SMALL_PACKED && uncompressedSize <= SMALL_UNPACKED;

/** An entry as it lies in the archive. Archives in it are read in their place; everything else is checked. */
export class StoredEntry implements ByteSource {
  readonly extent: Extent;
  readonly size: number;
  readonly canReopen = true;
  isChecksumWrong = false;

  /** @param damage known before the bytes are read: the archive ends within the entry */
  constructor(
    private readonly bytes: ExtentSource,
    private readonly entry: ZipEntryBytes,
    readonly damage: ReadDamage | null = null,
  ) {
    this.extent = bytes.extent;
    this.size = bytes.size;
  }

  peek(length: number): Promise<Buffer> {
    return this.bytes.peek(length);
  }

  async *open(from: number, pieceSize?: number): AsyncGenerator<Buffer, void, undefined> {
    if (from > 0) {
      // The checksum is that of all bytes.
      yield* skipping(this.open(0, pieceSize), from);
      return;
    }
    let sum = 0;
    for await (const chunk of this.bytes.open(0, pieceSize)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    this.isChecksumWrong = this.damage === null && sum !== this.entry.crc32;
  }
}

/** A deflated entry, unpacked piece by piece. */
export class DeflatedEntry extends MadeSource {
  readonly size: number;

  constructor(
    private readonly packed: ExtentSource,
    private readonly entry: ZipEntryBytes,
    private readonly budget: UnpackBudget,
  ) {
    super();
    this.size = entry.uncompressedSize;
  }

  protected async *make(): AsyncGenerator<Buffer, void, undefined> {
    const { packed, budget } = this;
    const { uncompressedSize, crc32: expected } = this.entry;
    this.damage = null;
    let [sum, unpacked, fed] = [0, 0, 0];
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of smallPieces(packed, PACKED_PIECE)) {
        fed += piece.length;
        yield piece;
      }
    };
    const inflater = createInflateRaw(INFLATE_OPTIONS);
    for await (const piece of inflate(counted(), inflater, (damage) => (this.damage = damage))) {
      unpacked += piece.length;
      budget.add(piece.length, unpacked, fed);
      // An entry that is longer than its directory says is none that a program has written.
      if (unpacked > uncompressedSize) {
        this.damage = MEMBER_DAMAGED;
        return;
      }
      sum = crc32(piece, sum);
      yield piece;
    }
    if (unpacked < uncompressedSize) this.damage ??= CUT_OFF;
    this.isChecksumWrong = this.damage === null && sum !== expected;
  }
}

/** A small deflated entry. It is unpacked in one step, and once, although its beginning is looked at before it is read. */
export class SmallEntry extends MadeSource {
  readonly size: number;
  private whole: Promise<Buffer | null> | null = null;

  /** @param read reads the packed bytes */
  constructor(
    private readonly read: () => Promise<Buffer>,
    private readonly entry: ZipEntryBytes,
    private readonly budget: UnpackBudget,
  ) {
    super();
    this.size = entry.uncompressedSize;
  }

  protected async *make(): AsyncGenerator<Buffer, void, undefined> {
    const bytes = await (this.whole ??= this.unpack());
    if (bytes) yield bytes;
    else this.damage = MEMBER_DAMAGED;
  }

  private async unpack(): Promise<Buffer | null> {
    const { uncompressedSize, compressedSize, crc32: expected } = this.entry;
    const packed = await this.read();
    // One byte more than it says, to notice when it is longer.
    const maxOutputLength = uncompressedSize + 1;
    const chunkSize = Math.max(MIN_CHUNK, maxOutputLength);
    const bytes = await inflateWhole(packed, { maxOutputLength, chunkSize }).catch(() => null);
    if (!bytes || bytes.length !== uncompressedSize) return null;
    this.budget.add(bytes.length, bytes.length, compressedSize);
    this.isChecksumWrong = crc32(bytes) !== expected;
    return bytes;
  }
}

async function* skipping(
  bytes: AsyncIterable<Buffer>,
  from: number,
): AsyncGenerator<Buffer, void, undefined> {
  let at = 0;
  for await (const chunk of bytes) {
    const start = Math.max(0, from - at);
    at += chunk.length;
    if (start < chunk.length) yield chunk.subarray(start);
  }
}
