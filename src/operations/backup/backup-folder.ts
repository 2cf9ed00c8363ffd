import { chmod, mkdir, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { DurableDirectories } from '../../archive/files/durable-directories';
import { LocalArchiveStore } from '../../archive/files/local-archive-store';
import { monthFolder } from '../../archive/files/storage-key';
import { BackupError } from './backup.errors';
import { ArchiveListEntry, contentOf, isArchivePath } from './archive-list';
import { isAbsence, measure, namesIn, sizeOf } from './files';
import { formatManifest, Manifest, parseManifest } from './manifest';

const MANIFEST = 'manifest.json';
/** Folder for tables and lists, with a folder per backup; only the one that the manifest names belongs to a finished backup. */
const DATABASE = 'database';
/** Subfolder for mails, shared by all backups into this folder. */
const ARCHIVE = 'archive';
/** Other names that the folder of a backup may contain. */
const TOLERATED = new Set([MANIFEST, `${MANIFEST}.new`, DATABASE, ARCHIVE, 'lost+found']);

/** Reasons why a folder cannot be used, by the code of the error. */
const UNUSABLE: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'it is a file, or below one',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'its file system is read-only',
};

/** A folder with a backup: `manifest.json`, `database/<id>/…` and `archive/<key>`. */
export class BackupFolder {
  private readonly directories: DurableDirectories;

  constructor(readonly path: string) {
    this.directories = new DurableDirectories(path);
  }

  /**
   * Prepares the folder for a backup, closed to other users: it will hold people's mail.
   * @throws BackupError when it contains anything else, or is not writable
   */
  async prepare(): Promise<void> {
    try {
      await this.makeReady();
    } catch (error) {
      const reason = UNUSABLE[(error as NodeJS.ErrnoException).code ?? ''];
      if (reason === undefined) throw error;
      throw new BackupError(`No backup can be written to ${this.path}: ${reason}.`, 1, { cause: error });
    }
  }

  /**
   * Refuses a folder that contains the archive or is within it: the files of one would be taken for those of the other, and
   * deleted.
   * @throws BackupError
   */
  async keepApartFrom(archiveDir: string): Promise<void> {
    const [own, others] = [await resolveLinks(this.path), await resolveLinks(archiveDir)];
    const copies = await resolveLinks(this.pathOf(ARCHIVE));
    if (!isWithin(own, others) && !isWithin(others, own) && !isWithin(copies, others)) return;
    throw new BackupError(
      `${this.path} is not apart from the archive directory ${archiveDir}: name a folder elsewhere, best on another disk.`,
    );
  }

  private async makeReady(): Promise<void> {
    const strange = (await namesIn(this.path)).find((name) => !TOLERATED.has(name));
    if (strange !== undefined) {
      throw new BackupError(
        `${this.path} holds something that is no backup (${strange}): name an empty folder, or one with a backup.`,
      );
    }
    for (const folder of [this.path, this.pathOf(DATABASE), this.pathOf(ARCHIVE)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
    }
  }

  /** The finished backup, or null when there is none. @throws BackupDamaged */
  async readManifest(): Promise<Manifest | null> {
    try {
      return parseManifest(await readFile(this.pathOf(MANIFEST), 'utf8'));
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }

  /** Begins the tables and lists of a new backup. @returns their folder, relative to this one */
  async beginSet(id: string): Promise<string> {
    const folder = `${DATABASE}/${id}`;
    await this.directories.ensure(this.pathOf(folder));
    return folder;
  }

  /** Makes `manifest` the finished backup, in place of the one before. */
  async publish(manifest: Manifest, folder: string): Promise<void> {
    await this.directories.sync(this.pathOf(folder));
    await this.directories.sync(this.pathOf(DATABASE));
    const temporary = this.pathOf(`${MANIFEST}.new`);
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(formatManifest(manifest));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.pathOf(MANIFEST));
    await this.directories.sync(this.path);
  }

  /** Removes the tables and lists of earlier and of unfinished backups. */
  async removeSetsExcept(id: string | null): Promise<void> {
    for (const name of await namesIn(this.pathOf(DATABASE))) {
      if (name !== id) await rm(this.pathOf(`${DATABASE}/${name}`), { recursive: true, force: true });
    }
  }

  /** Removes a file of the set. */
  async remove(path: string): Promise<void> {
    await rm(this.pathOf(path), { force: true });
  }

  /** Store for mails: each file is complete and on disk, or absent. */
  withArchive<T>(work: (archive: LocalArchiveStore) => Promise<T>): Promise<T> {
    return LocalArchiveStore.runWith(this.pathOf(ARCHIVE), work);
  }

  /** Bytes of a mail's file, or null when there is none. */
  readMailSize(path: string): Promise<number | null> {
    return sizeOf(this.mailFile(path));
  }

  /** Whether a mail's file matches the list. */
  async isSound(entry: ArchiveListEntry): Promise<boolean> {
    if (entry.path === null) return true;
    return this.holds(entry.path, contentOf(entry));
  }

  /** Whether there is a file with this content. */
  async holds(path: string, content: { bytes: number; sha256: string }): Promise<boolean> {
    // Most damage shows in the size.
    if ((await this.readMailSize(path)) !== content.bytes) return false;
    return (await measure(this.mailFile(path)))?.sha256 === content.sha256;
  }

  async readMail(path: string): Promise<Buffer> {
    return readFile(this.mailFile(path));
  }

  /**
   * Deletes mails that the list does not name. Keys are in order, so only the names of one month are in memory at a
   * time.
   * @returns the number of files deleted
   */
  async prune(entries: AsyncIterable<ArchiveListEntry>): Promise<number> {
    let removed = 0;
    const visited = new Set<string>();
    let month = '';
    let named = new Set<string>();
    const finish = async (): Promise<void> => {
      if (month === '') return;
      visited.add(month);
      for await (const folder of this.listMailFolders(month.slice(0, -1)))
        removed += await this.removeFiles(folder, named);
    };
    for await (const { path } of entries) {
      if (path === null) continue;
      if (monthFolder(path) !== month) {
        await finish();
        month = monthFolder(path);
        named = new Set();
      }
      named.add(path);
    }
    await finish();
    for await (const folder of this.listMailFolders('')) {
      if (folder !== '' && !visited.has(monthFolder(`${folder}/`)))
        removed += await this.removeFiles(folder, new Set());
    }
    return removed;
  }

  /** A path of the set, relative to its folder. */
  pathOf(path: string): string {
    return join(this.path, path);
  }

  private mailFile(path: string): string {
    if (!isArchivePath(path))
      throw new BackupError(`Not a path of a mail: ${JSON.stringify(path.slice(0, 200))}`);
    return join(this.path, ARCHIVE, path);
  }

  /** @param keep paths */
  private async removeFiles(folder: string, keep: ReadonlySet<string>): Promise<number> {
    let removed = 0;
    const entries = await readdir(join(this.path, ARCHIVE, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || keep.has(`${folder}/${entry.name}`)) continue;
      await rm(join(this.path, ARCHIVE, folder, entry.name), { force: true });
      removed += 1;
    }
    return removed;
  }

  /** A folder in `archive/` and those below it, those of temporary files left out. */
  private async *listMailFolders(parent: string): AsyncGenerator<string> {
    yield parent;
    const entries = await readdir(join(this.path, ARCHIVE, parent), { withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const folder = parent === '' ? entry.name : `${parent}/${entry.name}`;
      yield* this.listMailFolders(folder);
    }
  }
}

/** A path without symbolic links, as far as it exists. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isAbsence(error) || dirname(path) === path) throw error;
    return join(await resolveLinks(dirname(path)), path.slice(dirname(path).length));
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}
