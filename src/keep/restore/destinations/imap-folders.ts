import type { ImapFolderRole } from '../../../providers/imap/login/imap-account.entity';
import type { RestoredLabels } from '../restored-labels';

/** Folder of a mail on an IMAP server, where a mail can be in one folder only. */
export interface FolderChoice {
  /** Role of the server's folder that is used if the server has one; null: the role does not matter. */
  readonly role: ImapFolderRole | null;
  /** Name of the folder, level by level; it is created if it is missing. */
  readonly levels: readonly string[];
  /** Whether all labels are kept: as this folder, or as flags. */
  readonly isComplete: boolean;
}

const SPECIAL: readonly (readonly [label: string, role: ImapFolderRole, name: string])[] = [
  ['SENT', 'sent', 'Sent'],
  ['SPAM', 'junk', 'Junk'],
];

/**
 * The folder for a mail: the inbox, else the folder for its kind, else that of its first label, else the archive.
 * @param root folder that holds all others, with `/` between levels; null: mail goes into the user's own folders
 */
export function folderFor(
  { system, names, isIncomplete }: RestoredLabels,
  root: string | null,
): FolderChoice {
  const above = root === null ? [] : levelsOf(root);
  const choose = (levels: readonly string[], role: ImapFolderRole | null, left: number): FolderChoice => ({
    // Below a root, the user's own folders are not used.
    role: above.length > 0 ? null : role,
    levels: [...above, ...levels],
    isComplete: !isIncomplete && left === 0,
  });
  if (system.includes('INBOX')) return choose(['INBOX'], null, names.length);
  for (const [label, role, name] of SPECIAL)
    if (system.includes(label)) return choose([name], role, names.length);
  const [first] = names;
  const levels = first === undefined ? [] : levelsOf(first);
  if (levels.length > 0) return choose(levels, null, names.length - 1);
  return choose(['Archive'], 'archive', names.length);
}

/** Flags for a mail: whether it has been read, and whether it is starred. */
export const flagsFor = ({ system }: RestoredLabels): string[] => [
  ...(system.includes('UNREAD') ? [] : ['\\Seen']),
  ...(system.includes('STARRED') ? ['\\Flagged'] : []),
];

/** Path of a folder. @param delimiter of the server; a level cannot contain it */
export function folderPath(levels: readonly string[], delimiter: string, prefix: string): string {
  if (levels.length === 1 && levels[0] === 'INBOX') return 'INBOX';
  const named = delimiter === '' ? levels : levels.map((level) => level.split(delimiter).join('-'));
  return prefix + named.join(delimiter === '' ? '-' : delimiter);
}

const levelsOf = (name: string): string[] =>
  name
    .split('/')
    .map((level) => level.trim())
    .filter((level) => level !== '');
