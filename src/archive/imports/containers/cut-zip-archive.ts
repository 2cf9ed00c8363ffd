import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { type Archive, type ArchiveMember, damagedPart } from './archive-member';
import { type ByteSource, type Extent, ExtentSource, MadeSource, smallPieces } from './byte-source';
import { inflate, INFLATE_OPTIONS, PACKED_PIECE } from './inflate';
import { ReadAhead } from './read-ahead';
import {
  ARCHIVE_CUT_OFF,
  compressionUnsupported,
  CUT_OFF,
  directoryMissing,
  MEMBER_ENCRYPTED,
  type ReadDamage,
  zipCutOff,
} from './read-damage';
import type { UnpackBudget } from './unpack-budget';
import { DEFLATED, DeflatedEntry, methodName, STORED, StoredEntry } from './zip-entries';
import {
  descriptorEnd,
  isOtherRecord,
  LOCAL_HEADER,
  type LocalHeader,
  readLocalHeader,
} from './zip-local-header';

/** Bytes searched at a time. */
const SEARCHED = 256 * 1024;
const DESCRIPTOR = Buffer.from('504b0708', 'hex');
/** Bytes from the signature of a descriptor to the end of its largest form. */
const MAX_DESCRIPTOR = 24;

/**
 * A ZIP archive whose directory is missing, cut or damaged, such as a download that was interrupted. Its entries are found by the
 * headers before them, as far as the file goes. Where no header follows an entry, the next one is searched for, and the
 * part between them is reported. See ADR 110.
 */
export class CutZipArchive implements Archive {
  damage: ReadDamage | null = null;
  private readonly bytes: ReadAhead;

  private constructor(
    private readonly extent: Extent,
    private readonly budget: UnpackBudget,
    private readonly signal: AbortSignal,
  ) {
    this.bytes = new ReadAhead(extent);
  }

  /** Opens an archive. @returns null when no file is found in it */
  static async open(
    { extent }: ExtentSource,
    budget: UnpackBudget,
    signal: AbortSignal,
  ): Promise<CutZipArchive | null> {
    const archive = new CutZipArchive(extent, budget, signal);
    for await (const { type } of archive.members()) if (type === 'file') return archive;
    return null;
  }

  async *members(): AsyncGenerator<ArchiveMember, void, undefined> {
    this.damage = null;
    let files = 0;
    let hasDirectory = false;
    // Whether it is reported already that the bytes from here to the next header cannot be read.
    let isReported = false;
    for (let at = 0; at < this.extent.size;) {
      this.signal.throwIfAborted();
      const header = await readLocalHeader(this.bytes, at);
      if (!header) {
        hasDirectory = await isOtherRecord(this.bytes, at);
        const next = hasDirectory ? null : await this.findHeader(at + 1);
        if (next === null) break;
        if (!isReported) yield damagedPart(at);
        at = next;
        continue;
      }
      const entry = await this.openEntry(header);
      if (entry.member.type === 'file') this.budget.checkFiles((files += 1));
      yield entry.member;
      const end = await entry.findEnd();
      isReported = !end.isKnown;
      at = header.hasDescriptor && end.isKnown ? await descriptorEnd(this.bytes, end.at) : end.at;
    }
    this.damage = hasDirectory ? directoryMissing(files) : zipCutOff(files);
  }

  private async openEntry(header: LocalHeader): Promise<OpenEntry> {
    const { name, method, dataStart, sizes } = header;
    const { extent, budget } = this;
    if (name.endsWith('/') && (sizes?.uncompressedSize ?? 0) === 0) {
      const member = { name, type: 'directory', source: null, damage: null } as const;
      return { member, findEnd: () => Promise.resolve({ at: dataStart, isKnown: true }) };
    }
    extent.position.bytesRead = extent.start + dataStart;
    const stretch = (size: number): ExtentSource =>
      new ExtentSource({ ...extent, start: extent.start + dataStart, size });
    const refusal = refusalOf(header);
    if (sizes === null && method === DEFLATED && !refusal) {
      const source = new UnsizedEntry(stretch(extent.size - dataStart), budget);
      const findEnd = async (): Promise<EntryEnd> => {
        const { packed, isKnown } = await source.measure();
        return { at: dataStart + packed, isKnown };
      };
      return { member: fileOf(name, source), findEnd };
    }
    const packed = sizes?.compressedSize ?? (await this.findStoredSize(dataStart));
    const end = { at: dataStart + packed, isKnown: true };
    const findEnd = (): Promise<EntryEnd> => Promise.resolve(end);
    if (refusal) return { member: { name, type: 'file', source: null, damage: refusal }, findEnd };
    const held = Math.min(packed, extent.size - dataStart);
    const isCut = held < packed || (sizes === null && end.at >= extent.size);
    // The checksum of an entry whose sizes follow it follows it as well.
    const facts = sizes ?? {
      compressedSize: packed,
      uncompressedSize: packed,
      crc32: await this.sumAt(end.at),
    };
    const source =
      method === STORED
        ? new StoredEntry(stretch(held), facts, isCut ? ARCHIVE_CUT_OFF : null)
        : new DeflatedEntry(stretch(held), facts, budget);
    return { member: fileOf(name, source), findEnd };
  }

  /** Offset of the next header from an offset on; null: there is none. */
  private async findHeader(from: number): Promise<number | null> {
    for (
      let at = await this.find(LOCAL_HEADER, from);
      at !== null;
      at = await this.find(LOCAL_HEADER, at + 1)
    ) {
      if (await readLocalHeader(this.bytes, at)) return at;
    }
    return null;
  }

  /**
   * The size of an entry whose sizes follow it and whose bytes do not say where they end: the next descriptor that states the
   * distance from its beginning. Without one the entry goes on to the end of the file.
   */
  private async findStoredSize(dataStart: number): Promise<number> {
    for (
      let at = await this.find(DESCRIPTOR, dataStart);
      at !== null;
      at = await this.find(DESCRIPTOR, at + 1)
    ) {
      const descriptor = await this.bytes.readAt(at, MAX_DESCRIPTOR);
      if (descriptor.length >= 12 && descriptor.readUInt32LE(8) === (at - dataStart) % 2 ** 32)
        return at - dataStart;
    }
    return this.extent.size - dataStart;
  }

  /** The checksum in the descriptor at an offset; 0: there is none. */
  private async sumAt(at: number): Promise<number> {
    const descriptor = await this.bytes.readAt(at, 8);
    return descriptor.length === 8 ? descriptor.readUInt32LE(4) : 0;
  }

  private async find(signature: Buffer, from: number): Promise<number | null> {
    const { handle, start, size } = this.extent;
    const buffer = Buffer.allocUnsafe(SEARCHED);
    for (let at = from; at < size;) {
      this.signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, Math.min(SEARCHED, size - at), start + at);
      if (bytesRead < signature.length) return null;
      const found = buffer.subarray(0, bytesRead).indexOf(signature);
      if (found !== -1) return at + found;
      at += bytesRead - signature.length + 1;
    }
    return null;
  }
}

/** Where an entry ends; the place where reading stopped, when that is not known. */
interface EntryEnd {
  readonly at: number;
  readonly isKnown: boolean;
}

interface OpenEntry {
  readonly member: ArchiveMember;
  /** Finds the end once the member has been read. */
  findEnd(): Promise<EntryEnd>;
}

/** A deflated entry of an unknown size: it ends where its stream does. */
class UnsizedEntry extends MadeSource {
  readonly size = null;
  private end: { packed: number; isKnown: boolean } | null = null;

  constructor(
    private readonly packed: ExtentSource,
    private readonly budget: UnpackBudget,
  ) {
    super();
  }

  /** Number of its packed bytes. An entry that was not read to its end is unpacked for it. */
  async measure(): Promise<{ packed: number; isKnown: boolean }> {
    if (!this.end) {
      const rest = this.make();
      while (!(await rest.next()).done);
    }
    return this.end!;
  }

  protected async *make(): AsyncGenerator<Buffer, void, undefined> {
    const { packed, budget } = this;
    this.damage = null;
    let damage = null as ReadDamage | null;
    let unpacked = 0;
    const inflater: InflateRaw = createInflateRaw(INFLATE_OPTIONS);
    for await (const piece of inflate(
      smallPieces(packed, PACKED_PIECE),
      inflater,
      (found) => (damage = found),
    )) {
      unpacked += piece.length;
      budget.add(piece.length, unpacked, inflater.bytesWritten);
      yield piece;
    }
    // The decompressor takes no more than belongs to the stream. In a damaged one, the next entry may begin anywhere.
    const isCut = damage?.code === CUT_OFF.code;
    const packedBytes = damage && !isCut ? 0 : inflater.bytesWritten;
    this.end = { packed: packedBytes, isKnown: damage === null };
    this.damage = isCut ? ARCHIVE_CUT_OFF : damage;
  }
}

const fileOf = (name: string, source: ByteSource): ArchiveMember => ({
  name,
  type: 'file',
  source,
  damage: null,
});

function refusalOf({ isEncrypted, method }: LocalHeader): ReadDamage | null {
  if (isEncrypted) return MEMBER_ENCRYPTED;
  return method === STORED || method === DEFLATED ? null : compressionUnsupported(methodName(method));
}
