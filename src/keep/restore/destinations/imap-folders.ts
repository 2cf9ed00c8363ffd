import type { RestoredLabels } from '../restored-labels';

/** Where a mail goes on an IMAP server, where it can lie in one folder only. */
export interface FolderChoice {
  /** RFC 6154: the server's folder for this, if it has one. */
  readonly specialUse: string | null;
  /** Name of the folder, level by level; made if need be. */
  readonly levels: readonly string[];
  /** All labels are kept: as this folder, or as flags. */
  readonly isComplete: boolean;
}

const SPECIAL: readonly (readonly [label: string, specialUse: string, name: string])[] = [
  ['SENT', '\\Sent', 'Sent'],
  ['SPAM', '\\Junk', 'Junk'],
];

/**
 * The folder for a mail: the inbox, else a folder of special use, else that of its first label, else the archive.
 * @param root folder that holds all others, with `/` between levels; null: they are the user's own
 */
export function folderFor(
  { system, names, isIncomplete }: RestoredLabels,
  root: string | null,
): FolderChoice {
  const above = root === null ? [] : levelsOf(root);
  const choose = (levels: readonly string[], specialUse: string | null, left: number): FolderChoice => ({
    // Below a root nothing of the user's own is touched.
    specialUse: above.length > 0 ? null : specialUse,
    levels: [...above, ...levels],
    isComplete: !isIncomplete && left === 0,
  });
  if (system.includes('INBOX')) return choose(['INBOX'], null, names.length);
  for (const [label, specialUse, name] of SPECIAL)
    if (system.includes(label)) return choose([name], specialUse, names.length);
  const [first] = names;
  const levels = first === undefined ? [] : levelsOf(first);
  if (levels.length > 0) return choose(levels, null, names.length - 1);
  return choose(['Archive'], '\\Archive', names.length);
}

/** Flags for a mail: whether it has been read, and whether it is starred. */
export const flagsFor = ({ system }: RestoredLabels): string[] => [
  ...(system.includes('UNREAD') ? [] : ['\\Seen']),
  ...(system.includes('STARRED') ? ['\\Flagged'] : []),
];

/** @param delimiter of the server; a level cannot hold it */
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
