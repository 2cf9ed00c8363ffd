import type { Archive } from '../containers/archive-member';

/**
 * The folders of an archive, as the names of all its files tell. They are read before the first file, since an archive has its files in
 * any order.
 */
export class ArchiveFolders {
  private constructor(
    /** Folders that all files lie in. */
    private readonly shared: readonly string[],
    /** Whether all files lie in the last of these, so that its name is that of their folder. */
    private readonly isOneFolder: boolean,
  ) {}

  /** Reads the names of all members. */
  static async survey(archive: Archive, signal: AbortSignal): Promise<ArchiveFolders> {
    let shared: string[] | null = null;
    let isOneFolder = true;
    for await (const { name, type } of archive.members()) {
      signal.throwIfAborted();
      if (type !== 'file' || isSystemData(levelsOf(name))) continue;
      const folders = levelsOf(name).slice(0, -1);
      if (shared === null) {
        shared = folders;
        continue;
      }
      let same = 0;
      while (same < shared.length && same < folders.length && shared[same] === folders[same]) same++;
      isOneFolder &&= same === shared.length && same === folders.length;
      shared = shared.slice(0, same);
    }
    return new ArchiveFolders(shared ?? [], isOneFolder);
  }

  /**
   * The levels of a file's folder, without those that all files have in common.
   * @param isFolder whether the file itself is a folder, as an mbox file is
   */
  ownFoldersOf(levels: readonly string[], isFolder: boolean): readonly string[] {
    // Google names the folder of each product in the user's language.
    if (levels[0] === 'Takeout' && levels.length > 2) return levels.slice(2, -1);
    const keep = this.isOneFolder && !isFolder ? 1 : 0;
    return levels.slice(Math.max(0, this.shared.length - keep), -1);
  }
}

/** The levels of a name in an archive, without those that climb or stand for nothing. */
export const levelsOf = (name: string): string[] =>
  name.split('/').filter((level) => level !== '' && level !== '.' && level !== '..');

/** Whether a file holds data of an operating system about other files. */
export const isSystemData = (levels: readonly string[]): boolean =>
  levels[0] === '__MACOSX' || /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i.test(levels.at(-1) ?? '');
