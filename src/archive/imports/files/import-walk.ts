import type { Archive, ArchiveMember } from '../containers/archive-member';
import {
  type ByteSource,
  type Extent,
  ExtentSource,
  PassingSource,
  type ReadingPosition,
} from '../containers/byte-source';
import { CutZipArchive } from '../containers/cut-zip-archive';
import { gunzip } from '../containers/gzip-source';
import {
  CHECKSUM_WRONG,
  directoryMissing,
  formatUnsupported,
  NESTED_TOO_DEEP,
  type ReadDamage,
} from '../containers/read-damage';
import { type SpooledFile, spool, type SpoolPlace } from '../containers/spool';
import { isTar, TarArchive } from '../containers/tar-archive';
import type { UnpackBudget } from '../containers/unpack-budget';
import { ZipArchive } from '../containers/zip-archive';
import { ArchiveUnreadable, NotAnMboxFile } from '../imports.errors';
import { ArchiveFolders, isSystemData, levelsOf } from './archive-folders';
import { isProgramData, isUnfinished } from './folder-layouts';
import {
  foundDamage,
  type FoundItem,
  foundLeftOut,
  type MailFile,
  type MailFormat,
  START_BYTES,
} from './mail-format';
import { type ImportRoot, positionOf, sizeOf } from './import-source';
import { describeOther, type OtherKind } from './other-files';

/** Levels of compression and archives that are unpacked: a part of Takeout in a bundle, with a compressed mbox in it, has four. */
export const MAX_LEVELS = 6;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP_STARTS = ['504b0304', '504b0506', '504b0708'].map((hex) => Buffer.from(hex, 'hex'));
/** Documents that are ZIP files of their own kind: names of their first member. */
const ZIPPED_DOCUMENT = /^(?:mimetype|\[Content_Types\]\.xml|META-INF\/|_rels\/|AndroidManifest\.xml)/;

/** Place in an upload at which an import goes on. */
export interface ImportPosition {
  /** Number of the member in the upload, of the member in that one, and so on; empty for an upload that is no archive. */
  readonly path: readonly number[];
  /** Where the next item of that file begins. */
  readonly offset: number;
}

export const BEGINNING: ImportPosition = { path: [], offset: 0 };

/** An item, and where the import stands when it is done. */
export interface WalkedItem extends FoundItem {
  /** Format of the file that the item is from; null: it is no mail. */
  readonly format: string | null;
  readonly next: ImportPosition;
  /** Bytes of the upload on disk that are done with it, about. */
  readonly bytesDone: number;
}

export interface WalkServices {
  readonly formats: readonly MailFormat[];
  readonly budget: UnpackBudget;
  readonly spool: SpoolPlace;
  readonly signal: AbortSignal;
}

/** Where a file stands among the archives. */
interface Place {
  readonly path: readonly number[];
  /** Number of archives and compressions around the file. */
  readonly level: number;
  /** Bytes of the upload on disk that had been read before it. */
  readonly start: number;
}

type Kind =
  | { readonly type: 'empty' | 'gzip' | 'zip' | 'tar' }
  | { readonly type: 'mail'; readonly format: MailFormat }
  | { readonly type: 'other'; readonly kind: OtherKind | null };

/**
 * Reads an upload from a position on: a file with mail, or an archive of files, at any level. What a file is, is decided by
 * its content. Everything that it finds is an item, so that the counts of an import add up.
 */
export class ImportWalk {
  private readonly position: ReadingPosition;

  constructor(
    private readonly root: ImportRoot,
    private readonly services: WalkServices,
  ) {
    this.position = positionOf(root);
  }

  /** @throws NotAnMboxFile, ArchiveUnreadable, ImportUnpacksTooLarge, ImportTooManyFiles, UploadSpaceExhausted */
  async *items(from: ImportPosition): AsyncGenerator<WalkedItem, void, undefined> {
    const { root } = this;
    const source = root.file ? new ExtentSource(root.file) : new PassingSource(nothing(), 0);
    const file: MailFile = { source, name: null, levels: [], folders: null };
    const place = { path: [], level: 0, start: 0 };
    if (root.file) yield* this.readFile(file, place, from);
    else yield* this.readArchive(file, root.folder, place, from);
  }

  private async *readFile(
    file: MailFile,
    place: Place,
    from: ImportPosition,
  ): AsyncGenerator<WalkedItem, void, undefined> {
    this.services.signal.throwIfAborted();
    const kind = await this.classify(file);
    if (kind.type === 'gzip' || kind.type === 'zip' || kind.type === 'tar') {
      if (place.level >= MAX_LEVELS) yield this.end(file, place, foundDamage(nameOf(file), NESTED_TOO_DEEP));
      else if (kind.type === 'gzip') {
        const source = gunzip(file.source, this.services.budget);
        yield* this.readFile({ ...file, source }, { ...place, level: place.level + 1 }, from);
      } else yield* this.openArchive(file, kind.type, place, from);
      return;
    }
    if (kind.type === 'mail') yield* this.readMail(file, kind.format, place, from);
    else yield this.leaveOut(file, kind, place);
  }

  private async classify(file: MailFile): Promise<Kind> {
    const bytes = await file.source.peek(START_BYTES);
    if (bytes.length === 0 && file.source.damage === null) return { type: 'empty' };
    if (bytes.subarray(0, GZIP.length).equals(GZIP)) return { type: 'gzip' };
    if (isZip(bytes)) return isDocument(bytes) ? { type: 'other', kind: DOCUMENT } : { type: 'zip' };
    if (isTar(bytes)) return { type: 'tar' };
    for (const format of this.services.formats) {
      if (await format.recognise({ file, bytes })) return { type: 'mail', format };
    }
    return { type: 'other', kind: describeOther(bytes) };
  }

  /** A file that holds no mail, or none that can be read. @throws NotAnMboxFile when it is the upload */
  private leaveOut(file: MailFile, kind: Kind, place: Place): WalkedItem {
    const other = kind.type === 'other' ? kind.kind : null;
    const { damage } = file.source;
    if (file.folders === null) throw new NotAnMboxFile(this.describeUpload(place, other, damage));
    const name = nameOf(file);
    if (damage) return this.end(file, place, foundDamage(name, damage));
    if (kind.type === 'empty') return this.end(file, place, foundLeftOut(name, 'emptyFile'));
    if (other?.mayHoldMail) return this.end(file, place, foundDamage(name, formatUnsupported(other.what)));
    return this.end(file, place, foundLeftOut(name, isProgramData(file.levels) ? 'programData' : 'notMail'));
  }

  private describeUpload(
    { level }: Place,
    other: OtherKind | null,
    damage: ReadDamage | null,
  ): string | null {
    if (level === 0) return other?.what ?? null;
    if (damage) return `a file compressed with gzip that cannot be read: ${damage.reason}`;
    return `a file compressed with gzip; in it is ${other?.what ?? 'nothing that mail is imported from'}`;
  }

  private async *readMail(
    file: MailFile,
    format: MailFormat,
    place: Place,
    from: ImportPosition,
  ): AsyncGenerator<WalkedItem, void, undefined> {
    const spooled = format.needsDisk && !isFile(file.source.extent) ? await this.spool(file, place) : null;
    try {
      const { source } = spooled ?? file;
      const { position } = this;
      const { start } = place;
      for await (const item of format.read({ ...file, source }, from.offset, this.services.signal)) {
        // The part that was read ahead is not done.
        const share = item.readTo === null ? 1 : item.end / Math.max(1, item.readTo);
        const bytesDone = start + (position.bytesRead - start) * Math.min(1, share);
        yield { ...item, format: format.name, next: { path: place.path, offset: item.end }, bytesDone };
      }
      if (source.isChecksumWrong && !format.reportsChecksum)
        yield this.end(file, place, foundDamage(nameOf(file), CHECKSUM_WRONG));
    } finally {
      await spooled?.close();
    }
  }

  private async *openArchive(
    file: MailFile,
    type: 'zip' | 'tar',
    place: Place,
    from: ImportPosition,
  ): AsyncGenerator<WalkedItem, void, undefined> {
    const { source } = file;
    const isUsable = type === 'zip' ? source.extent !== null : source.canReopen;
    const spooled = isUsable ? null : await this.spool(file, place);
    try {
      const bytes = spooled?.source ?? source;
      const archive = await this.archiveIn(bytes, type);
      if ('reason' in archive) {
        if (file.folders === null) throw new ArchiveUnreadable(`${TYPES[type]} archive`, archive.reason);
        yield this.end(file, place, foundDamage(nameOf(file), archive));
        return;
      }
      yield* this.readArchive(file, archive, place, from);
    } finally {
      await spooled?.close();
    }
  }

  private async archiveIn(source: ByteSource, type: 'zip' | 'tar'): Promise<Archive | ReadDamage> {
    if (type === 'tar') return new TarArchive(source, this.services.signal);
    const { budget, signal } = this.services;
    const bytes = new ExtentSource(source.extent!, source.damage);
    const archive =
      (await ZipArchive.open(bytes, budget)) ??
      (await budget.withoutCounting(() => CutZipArchive.open(bytes, budget, signal)));
    return archive ?? source.damage ?? EMPTY_ZIP;
  }

  private async *readArchive(
    file: MailFile,
    archive: Archive,
    place: Place,
    from: ImportPosition,
  ): AsyncGenerator<WalkedItem, void, undefined> {
    const { budget, signal } = this.services;
    const folders = await budget.withoutCounting(() => ArchiveFolders.survey(archive, signal));
    const [first = 0, ...path] = from.path;
    let number = 0;
    for await (const member of archive.members()) {
      signal.throwIfAborted();
      budget.addFile();
      const start = this.position.bytesRead;
      const at = { path: [...place.path, number], level: place.level + 1, start };
      if (number === first) yield* this.readMember(file, folders, member, at, { path, offset: from.offset });
      else if (number > first) yield* this.readMember(file, folders, member, at, BEGINNING);
      number += 1;
    }
    if (archive.damage && number >= first) {
      const name = file.name ?? 'archive';
      const at = { path: [...place.path, number], level: place.level + 1, start: sizeOf(this.root) };
      yield this.end(file, at, foundDamage(name, archive.damage));
    }
  }

  private async *readMember(
    archive: MailFile,
    folders: ArchiveFolders,
    { name: own, type, source, damage }: ArchiveMember,
    place: Place,
    from: ImportPosition,
  ): AsyncGenerator<WalkedItem, void, undefined> {
    if (type === 'directory') return;
    const name = archive.name === null ? own : `${archive.name}/${own}`;
    const levels = levelsOf(own);
    const leaveOut = (item: FoundItem): WalkedItem => this.end(archive, place, item);
    if (type === 'damaged') yield leaveOut(foundDamage(name, damage!));
    else if (type === 'other') yield leaveOut(foundLeftOut(name, 'linkOrDevice'));
    else if (isSystemData(levels) || isUnfinished(levels)) yield leaveOut(foundLeftOut(name, 'programData'));
    else if (source === null) yield leaveOut(foundDamage(name, damage!));
    else yield* this.readFile({ source, name, levels, folders }, place, from);
  }

  private spool({ source }: MailFile, { level }: Place): Promise<SpooledFile> {
    return spool(source, this.services.spool, level);
  }

  /** The one item of a file that has no others. */
  private end({ source }: MailFile, place: Place, item: FoundItem): WalkedItem {
    const { position } = this;
    const bytesDone = source.extent === null ? position.bytesRead : source.extent.start + source.extent.size;
    return {
      ...item,
      format: null,
      next: afterFile(place),
      bytesDone: Math.max(bytesDone, position.bytesRead),
    };
  }
}

/** A ZIP in which no file is found. */
const EMPTY_ZIP = directoryMissing(0);
async function* nothing(): AsyncGenerator<Buffer, void, undefined> {}

const TYPES = { zip: 'ZIP', tar: 'tar' } as const;
const DOCUMENT: OtherKind = { what: 'an office document, a book or a program', mayHoldMail: false };

const nameOf = ({ name }: MailFile): string => name ?? 'file';

const isZip = (bytes: Buffer): boolean =>
  ZIP_STARTS.some((signature) => bytes.subarray(0, signature.length).equals(signature));

/** Whether a ZIP is a document, an e-book or a program: it says so by its first member (OPC, OCF, JAR). */
const isDocument = (bytes: Buffer): boolean => ZIPPED_DOCUMENT.test(bytes.toString('latin1', 30, 60));

/** Whether a stretch of a file on disk is the whole file. */
const isFile = (extent: Extent | null): boolean =>
  extent !== null && extent.start === 0 && extent.size === extent.fileSize;

/** The position after a file in an archive. */
const afterFile = ({ path }: Place): ImportPosition => ({
  path: [...path.slice(0, -1), (path.at(-1) ?? 0) + 1],
  offset: 0,
});
