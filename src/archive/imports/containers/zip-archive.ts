import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReader,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { type Archive, type ArchiveMember, memberName } from './archive-member';
import { type ByteSource, type Extent, ExtentSource, MadeSource, smallPieces } from './byte-source';
import { inflate, INFLATE_OPTIONS, PACKED_PIECE } from './inflate';
import {
  ARCHIVE_DAMAGED,
  compressionUnsupported,
  CUT_OFF,
  MEMBER_DAMAGED,
  MEMBER_ENCRYPTED,
  MEMBERS_OVERLAP,
  type ReadDamage,
} from './read-damage';
import type { UnpackBudget } from './unpack-budget';

const STORED = 0;
const DEFLATED = 8;
/** Names of compressions that some programs use (APPNOTE.TXT 4.4.5). */
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink', 6: 'Implode', 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd', 99: 'AES',
}; // prettier-ignore
/** Entries of at most this size, packed and unpacked, are unpacked in one step: most mails are. */
const SMALL_PACKED = 128 * 1024;
const SMALL_UNPACKED = 1024 * 1024;
/** Bytes read ahead of the directory, and of small entries that lie one behind the other. */
const WINDOW = 256 * 1024;

const inflateWhole = promisify(inflateRaw) as (
  bytes: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>;

/**
 * A ZIP archive (APPNOTE.TXT, with ZIP64) on disk. yauzl reads its directory; stored and deflated entries are unpacked
 * here, so that a damaged one ends neither the archive nor the process. See ADR 110.
 */
export class ZipArchive implements Archive {
  damage: ReadDamage | null = null;

  private constructor(
    private readonly extent: Extent,
    private readonly budget: UnpackBudget,
    private readonly overlapping: ReadonlySet<number>,
  ) {}

  /**
   * Opens an archive and checks its directory.
   * @returns the reason why there is no directory that can be read
   */
  static async open(source: ExtentSource, budget: UnpackBudget): Promise<ZipArchive | ReadDamage> {
    const { extent } = source;
    const spans: Spans = { starts: [], sizes: [] };
    const zip = await openDirectory(extent);
    if (!zip) return source.damage ?? NO_DIRECTORY;
    for await (const entry of entriesOf(zip, () => undefined)) {
      spans.starts.push(entry.relativeOffsetOfLocalHeader);
      spans.sizes.push(entry.compressedSize);
      budget.checkFiles(spans.starts.length);
    }
    return new ZipArchive(extent, budget, findOverlapping(spans));
  }

  async *members(): AsyncGenerator<ArchiveMember, void, undefined> {
    this.damage = null;
    const zip = await openDirectory(this.extent);
    if (!zip) {
      this.damage = NO_DIRECTORY;
      return;
    }
    for await (const entry of entriesOf(zip, () => (this.damage = ARCHIVE_DAMAGED))) {
      yield await this.memberOf(zip, entry);
    }
  }

  private async memberOf(zip: ZipFile, entry: Entry): Promise<ArchiveMember> {
    const name = nameOf(entry);
    if (name.endsWith('/') && entry.uncompressedSize === 0)
      return { name, type: 'directory', source: null, damage: null };
    if (isLink(entry)) return { name, type: 'other', source: null, damage: null };
    const refused = (damage: ReadDamage): ArchiveMember => ({ name, type: 'file', source: null, damage });
    const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
    if (entry.isEncrypted()) return refused(MEMBER_ENCRYPTED);
    if (method !== STORED && method !== DEFLATED)
      return refused(compressionUnsupported(METHODS[method] ?? `method ${method}`));
    if (this.overlapping.has(entry.relativeOffsetOfLocalHeader)) return refused(MEMBERS_OVERLAP);
    if (method === STORED && compressedSize !== uncompressedSize) return refused(MEMBER_DAMAGED);
    const start = await dataStartOf(zip, entry);
    if (start === null) return refused(MEMBER_DAMAGED);
    const { extent } = this;
    extent.position.bytesRead = extent.start + start;
    const packed = new ExtentSource({ ...extent, start: extent.start + start, size: compressedSize });
    const source =
      method === STORED ? new StoredEntry(packed, entry) : new Deflated(packed, entry, this.budget);
    return { name, type: 'file', source, damage: null };
  }
}

const NO_DIRECTORY: ReadDamage = {
  code: 'archive-directory-missing',
  reason: 'its directory, which stands at its end, is missing or damaged',
};

/** An entry as it lies in the archive. Archives in it are read in their place; everything else is checked. */
class StoredEntry implements ByteSource {
  readonly extent: Extent;
  readonly size: number;
  readonly canReopen = true;
  readonly damage = null;
  isChecksumWrong = false;

  constructor(
    private readonly bytes: ExtentSource,
    private readonly entry: Entry,
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
    this.isChecksumWrong = sum !== this.entry.crc32;
  }
}

class Deflated extends MadeSource {
  readonly size: number;

  constructor(
    private readonly packed: ExtentSource,
    private readonly entry: Entry,
    private readonly budget: UnpackBudget,
  ) {
    super();
    this.size = entry.uncompressedSize;
  }

  protected async *make(): AsyncGenerator<Buffer, void, undefined> {
    const { packed, budget } = this;
    const { uncompressedSize, compressedSize, crc32: expected } = this.entry;
    this.damage = null;
    if (compressedSize <= SMALL_PACKED && uncompressedSize <= SMALL_UNPACKED) {
      yield* this.makeSmall();
      return;
    }
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

  private async *makeSmall(): AsyncGenerator<Buffer, void, undefined> {
    const { uncompressedSize, crc32: expected } = this.entry;
    const pieces: Buffer[] = [];
    for await (const piece of this.packed.open(0)) pieces.push(piece);
    const bytes = await inflateWhole(Buffer.concat(pieces), { maxOutputLength: uncompressedSize + 1 }).catch(
      () => null,
    );
    if (!bytes || bytes.length !== uncompressedSize) {
      this.damage = MEMBER_DAMAGED;
      return;
    }
    this.budget.add(bytes.length, bytes.length, this.packed.size);
    this.isChecksumWrong = crc32(bytes) !== expected;
    yield bytes;
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

/** The reads of yauzl, served from stretches of the file that are read ahead: one for the directory, one for entries. */
class DirectoryReader extends RandomAccessReader {
  private windows: { start: number; bytes: Buffer }[] = [];

  constructor(private readonly extent: Extent) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.readAt(position, length).then(
      (found) => callback(null, found.copy(buffer, offset)),
      (error: Error) => callback(error),
    );
  }

  private async readAt(position: number, length: number): Promise<Buffer> {
    const held = this.windows.find(
      ({ start, bytes }) => position >= start && position + length <= start + bytes.length,
    );
    if (held) return held.bytes.subarray(position - held.start, position - held.start + length);
    const { handle, start, size } = this.extent;
    const room = Buffer.allocUnsafe(Math.max(0, Math.min(Math.max(length, WINDOW), size - position)));
    const { bytesRead } = await handle.read(room, 0, room.length, start + position);
    const bytes = room.subarray(0, bytesRead);
    this.windows = [{ start: position, bytes }, ...this.windows.slice(0, 1)];
    return bytes.subarray(0, length);
  }

  override close(callback: (error: Error | null) => void): void {
    // The file stays open for the entries.
    setImmediate(callback, null);
  }
}

/** Opens the directory. @returns null when there is none that can be read */
function openDirectory(extent: Extent): Promise<ZipFile | null> {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  return new Promise((resolve) => {
    fromRandomAccessReader(new DirectoryReader(extent), extent.size, options, (error, zip) =>
      resolve(error ? null : zip),
    );
  });
}

/** The entries in the order of the directory. @param onDamage called when the directory cannot be read to its end */
async function* entriesOf(zip: ZipFile, onDamage: () => void): AsyncGenerator<Entry, void, undefined> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve) => {
      const settle = (found: Entry | null): void => {
        zip.removeAllListeners();
        // A late failure must not end the process.
        zip.on('error', () => undefined);
        resolve(found);
      };
      zip.once('entry', settle);
      zip.once('end', () => settle(null));
      zip.once('error', () => {
        onDamage();
        settle(null);
      });
      zip.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

/** Offset of the entry's bytes in the archive; null when there is no entry where the directory says. */
function dataStartOf(zip: ZipFile, entry: Entry): Promise<number | null> {
  return new Promise((resolve) => {
    zip.readLocalFileHeader(entry, { minimal: true }, (error, header) =>
      resolve(error ? null : header.fileDataStart),
    );
  });
}

/** The name, as UTF-8 wherever it can be: programs write UTF-8 and do not say so. */
function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const text = fileNameRaw.toString('utf8');
  if (!text.includes('\ufffd')) return memberName(text);
  return memberName(getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false));
}

/** Whether an entry of a Unix program is a symbolic link, or something else that is no file. */
function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  const UNIX = 3;
  const fileType = (externalFileAttributes >>> 16) & 0o170000;
  return versionMadeBy >>> 8 === UNIX && fileType !== 0 && fileType !== 0o100000 && fileType !== 0o040000;
}

/** Stretches of an archive that its entries take: offset of the header, and bytes of data. */
interface Spans {
  readonly starts: number[];
  readonly sizes: number[];
}

/** Offsets of entries that share bytes with another entry, as those of ZIP bombs do. */
function findOverlapping({ starts, sizes }: Spans): Set<number> {
  const MIN_HEADER = 30;
  const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a]! - starts[b]!);
  const found = new Set<number>();
  let last = { start: -1, end: -1 };
  for (const index of order) {
    const start = starts[index]!;
    if (start < last.end) found.add(start).add(last.start);
    const end = start + MIN_HEADER + sizes[index]!;
    if (end > last.end) last = { start, end };
  }
  return found;
}
