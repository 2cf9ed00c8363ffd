import {
  type Entry,
  fromRandomAccessReader,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { type Archive, type ArchiveMember, memberName } from './archive-member';
import { type ByteSource, type Extent, ExtentSource } from './byte-source';
import { ReadAhead } from './read-ahead';
import {
  ARCHIVE_DAMAGED,
  compressionUnsupported,
  MEMBER_DAMAGED,
  MEMBER_ENCRYPTED,
  MEMBERS_OVERLAP,
  type ReadDamage,
} from './read-damage';
import type { UnpackBudget } from './unpack-budget';
import { DEFLATED, DeflatedEntry, isSmall, methodName, SmallEntry, STORED, StoredEntry } from './zip-entries';

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
   * Opens an archive and reads its directory once.
   * @returns null when it has none that can be read to its end
   */
  static async open({ extent }: ExtentSource, budget: UnpackBudget): Promise<ZipArchive | null> {
    const spans: Spans = { starts: [], sizes: [] };
    const directory = await openDirectory(extent);
    if (!directory) return null;
    let isDamaged = false;
    for await (const entry of entriesOf(directory.zip, () => (isDamaged = true))) {
      spans.starts.push(entry.relativeOffsetOfLocalHeader);
      spans.sizes.push(entry.compressedSize);
      budget.checkFiles(spans.starts.length);
    }
    return isDamaged ? null : new ZipArchive(extent, budget, findOverlapping(spans));
  }

  async *members(): AsyncGenerator<ArchiveMember, void, undefined> {
    this.damage = null;
    const directory = await openDirectory(this.extent);
    if (!directory) {
      this.damage = ARCHIVE_DAMAGED;
      return;
    }
    for await (const entry of entriesOf(directory.zip, () => (this.damage = ARCHIVE_DAMAGED))) {
      yield await this.memberOf(directory, entry);
    }
  }

  private async memberOf({ zip, bytes }: Directory, entry: Entry): Promise<ArchiveMember> {
    const name = zipName(entry);
    if (name.endsWith('/') && entry.uncompressedSize === 0)
      return { name, type: 'directory', source: null, damage: null };
    if (isLink(entry)) return { name, type: 'other', source: null, damage: null };
    const refused = (damage: ReadDamage): ArchiveMember => ({ name, type: 'file', source: null, damage });
    const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
    if (entry.isEncrypted()) return refused(MEMBER_ENCRYPTED);
    if (method !== STORED && method !== DEFLATED) return refused(compressionUnsupported(methodName(method)));
    if (this.overlapping.has(entry.relativeOffsetOfLocalHeader)) return refused(MEMBERS_OVERLAP);
    if (method === STORED && compressedSize !== uncompressedSize) return refused(MEMBER_DAMAGED);
    const start = await dataStartOf(zip, entry);
    if (start === null) return refused(MEMBER_DAMAGED);
    const { extent } = this;
    extent.position.bytesRead = extent.start + start;
    const packed = new ExtentSource({ ...extent, start: extent.start + start, size: compressedSize });
    const file = (source: ByteSource): ArchiveMember => ({ name, type: 'file', source, damage: null });
    if (method === STORED) return file(new StoredEntry(packed, entry));
    if (!isSmall(entry)) return file(new DeflatedEntry(packed, entry, this.budget));
    const read = async (): Promise<Buffer> => {
      const packed = await bytes.readAt(start, compressedSize);
      extent.position.bytesRead = extent.start + start + packed.length;
      return packed;
    };
    return file(new SmallEntry(read, entry, this.budget));
  }
}

/** A directory that is open, and the bytes of its file. */
interface Directory {
  readonly zip: ZipFile;
  readonly bytes: ReadAhead;
}

/** The reads of yauzl. */
class DirectoryReader extends RandomAccessReader {
  constructor(readonly bytes: ReadAhead) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.bytes.readAt(position, length).then(
      (found) => callback(null, found.copy(buffer, offset)),
      (error: Error) => callback(error),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    // The file stays open for the entries.
    setImmediate(callback, null);
  }
}

/** Opens the directory. @returns null when there is none that can be read */
function openDirectory(extent: Extent): Promise<Directory | null> {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  return new Promise((resolve) => {
    const bytes = new ReadAhead(extent);
    fromRandomAccessReader(new DirectoryReader(bytes), extent.size, options, (error, zip) =>
      resolve(error ? null : { zip, bytes }),
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

type NamedEntry = Pick<Entry, 'generalPurposeBitFlag' | 'fileNameRaw' | 'extraFields'>;

/** The name, as UTF-8 wherever it can be: programs write UTF-8 and do not say so. */
export function zipName({ generalPurposeBitFlag, fileNameRaw, extraFields }: NamedEntry): string {
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
