import type { Archive, ArchiveMember } from '../containers/archive-member';
import { readWhole } from '../containers/byte-source';
import { folderLevels } from './folder-layouts';
import { type MhSequences, readDovecotKeywords, readMhSequences } from './place-states';

/** Bounds of the files in which programs keep states of messages; further ones are not read. */
const MAX_STATE_FILE = 1024 * 1024;
const MAX_STATE_BYTES = 16 * 1024 * 1024;
const MH_SEQUENCES = '.mh_sequences';
const DOVECOT_KEYWORDS = 'dovecot-keywords';

/**
 * The folders of an archive, as the names of all its files tell, and the states that programs keep beside their messages. They are
 * read before the first file, since an archive has its files in any order.
 */
export class ArchiveFolders {
  /** Folders that all files lie in. */
  private shared: readonly string[] | null = null;
  /** Whether all files lie in the last of these, so that its name is that of their folder. */
  private isOneFolder = true;
  private readonly sequences = new Map<string, MhSequences>();
  private readonly keywords = new Map<string, readonly string[]>();
  private stateBytes = 0;

  private constructor() {}

  /** Reads the names of all members. */
  static async survey(archive: Archive, signal: AbortSignal): Promise<ArchiveFolders> {
    const folders = new ArchiveFolders();
    for await (const member of archive.members()) {
      signal.throwIfAborted();
      const levels = levelsOf(member.name);
      if (member.type !== 'file' || isSystemData(levels)) continue;
      folders.share(folderLevels(levels));
      await folders.readStates(member, levels);
    }
    return folders;
  }

  /**
   * The levels of a file's folder, without those that all files have in common.
   * @param isFolder whether the file itself is a folder, as an mbox file is
   */
  ownFoldersOf(levels: readonly string[], isFolder: boolean): readonly string[] {
    const keep = this.isOneFolder && !isFolder ? 1 : 0;
    return folderLevels(levels).slice(Math.max(0, (this.shared?.length ?? 0) - keep));
  }

  /** Sequences of the MH folder that a file lies in; null: there are none. */
  sequencesOf(levels: readonly string[]): MhSequences | null {
    return this.sequences.get(keyOf(levels, 1)) ?? null;
  }

  /** Names of keywords of the Maildir that a file lies in, in the order of their flags. */
  keywordsOf(levels: readonly string[]): readonly string[] {
    return this.keywords.get(keyOf(levels, 2)) ?? [];
  }

  private share(folder: readonly string[]): void {
    if (this.shared === null) {
      this.shared = folder;
      return;
    }
    const { shared } = this;
    let same = 0;
    while (same < shared.length && same < folder.length && shared[same] === folder[same]) same++;
    this.isOneFolder &&= same === shared.length && same === folder.length;
    this.shared = shared.slice(0, same);
  }

  private async readStates({ source }: ArchiveMember, levels: readonly string[]): Promise<void> {
    const name = levels.at(-1);
    if (!source || (name !== MH_SEQUENCES && name !== DOVECOT_KEYWORDS)) return;
    const size = source.size ?? MAX_STATE_FILE;
    if (size > MAX_STATE_FILE || this.stateBytes + size > MAX_STATE_BYTES) return;
    this.stateBytes += size;
    const bytes = await readWhole(source, MAX_STATE_FILE);
    if (!bytes) return;
    if (name === MH_SEQUENCES) this.sequences.set(keyOf(levels, 1), readMhSequences(bytes));
    else this.keywords.set(keyOf(levels, 1), readDovecotKeywords(bytes));
  }
}

/** The folder that a file lies in. @param above number of levels from the file up */
const keyOf = (levels: readonly string[], above: number): string => levels.slice(0, -above).join('/');

/** The levels of a name in an archive, without those that climb or stand for nothing. */
export const levelsOf = (name: string): string[] =>
  name.split('/').filter((level) => level !== '' && level !== '.' && level !== '..');

/** Whether a file holds data of an operating system about other files. */
export const isSystemData = (levels: readonly string[]): boolean =>
  levels[0] === '__MACOSX' || /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i.test(levels.at(-1) ?? '');
