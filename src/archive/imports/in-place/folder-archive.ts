import { type Archive, type ArchiveMember, memberName } from '../containers/archive-member';
import { ExtentSource, type ReadingPosition } from '../containers/byte-source';
import { FILE_UNREADABLE } from '../containers/read-damage';
import { type FileEntry, type FolderEntry, isRefused, walkFolder } from './folder-entries';
import { type OpenFile, openPlacedFile } from './open-placed-file';
import { fingerprintOfFile } from './placed-state';

/** The position in one file of a folder, as one in all of its files behind one another. */
class PositionInFolder implements ReadingPosition {
  constructor(
    private readonly whole: ReadingPosition,
    private readonly before: number,
  ) {
    whole.bytesRead = before;
  }

  get bytesRead(): number {
    return this.whole.bytesRead - this.before;
  }

  set bytesRead(value: number) {
    this.whole.bytesRead = this.before + value;
  }
}

/** A folder on the server's disk, read as an archive of its files. Links and devices have no content. */
export class FolderArchive implements Archive {
  readonly damage = null;

  /**
   * @param path absolute, without links
   * @param position up to which the files of the folder, behind one another, have been read
   */
  constructor(
    private readonly path: string,
    private readonly position: ReadingPosition,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws ImportFileChanged when a file is written to while it is read */
  async *members(): AsyncGenerator<ArchiveMember, void, undefined> {
    let before = 0;
    for await (const entry of walkFolder(this.path, this.signal)) {
      if (entry.kind === 'file') yield* this.openMember(entry, before);
      else yield unopened(entry);
      if (entry.kind === 'file') before += Number(entry.stats.size);
    }
  }

  private async *openMember(
    entry: FileEntry,
    before: number,
  ): AsyncGenerator<ArchiveMember, void, undefined> {
    const file = await openOrNull(entry);
    if (!file) {
      yield unopened({ ...entry, kind: 'closed' });
      return;
    }
    const { handle, path, size } = file;
    try {
      const position = new PositionInFolder(this.position, before);
      const source = new ExtentSource({ path, handle, start: 0, size, fileSize: size, position });
      yield { name: memberName(entry.name), type: 'file', source, damage: null };
      await file.verify();
    } finally {
      await handle.close();
    }
  }
}

/** @returns null when the service may not read the file */
async function openOrNull({ path, stats }: FileEntry): Promise<OpenFile | null> {
  try {
    return await openPlacedFile(path, fingerprintOfFile(stats));
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

const unopened = ({ name, kind }: FolderEntry): ArchiveMember =>
  kind === 'closed'
    ? { name: memberName(name), type: 'file', source: null, damage: FILE_UNREADABLE }
    : { name: memberName(name), type: 'other', source: null, damage: null };
