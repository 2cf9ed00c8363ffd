import { systemLabelId } from '../mbox/takeout-headers';
import { isApplePackage, isInMaildir } from './folder-layouts';
import type { MailFile } from './mail-format';

const MAX_LABEL_LENGTH = 255;
/** Labels that stand for a folder's role; others of the table are states, or none. */
const ROLES: ReadonlySet<string> = new Set(['INBOX', 'SENT', 'DRAFT', 'TRASH', 'SPAM']);
/** Names that mail programs give to folders of a role, beside those of the table of system labels. */
const PROGRAM_NAMES: Readonly<Record<string, string>> = {
  'sent messages': 'SENT',
  'sent items': 'SENT',
  'sent mail': 'SENT',
  'sent-mail': 'SENT',
  'deleted messages': 'TRASH',
  'deleted items': 'TRASH',
  junk: 'SPAM',
  'junk e-mail': 'SPAM',
  'junk email': 'SPAM',
  'bulk mail': 'SPAM',
};
/** The folder in which Gmail shows its system labels by IMAP. */
const GMAIL = /^\[(?:Gmail|Google Mail)\]\//;
/** Names of folders that hold all mail; they are no label. */
const NOWHERE = /^all mail\b/i;

/**
 * The label for a folder of an archive, as the import by IMAP has it: its names with `/` between levels, or the id of the
 * system label for a folder whose role is known by its name.
 */
export function labelOfFolder(levels: readonly string[]): string | null {
  const name = levels.join('/').replace(GMAIL, '');
  if (name === '' || NOWHERE.test(name)) return null;
  const role = systemLabelId(name) ?? '';
  if (ROLES.has(role)) return role;
  return PROGRAM_NAMES[name.toLowerCase()] ?? [...name].slice(0, MAX_LABEL_LENGTH).join('');
}

/** The label for the folder that a file lies in; null: it lies in none. The uppermost folder of a Maildir is the inbox. */
export function labelOfPlace({ folders, levels }: MailFile): string | null {
  if (!folders) return null;
  const own = folders.ownFoldersOf(levels, false);
  return own.length === 0 && isInMaildir(levels) ? 'INBOX' : labelOfFolder(own);
}

/** The label for a file that is a folder; null for one that was uploaded without others. */
export function labelOfFolderFile(file: MailFile): string | null {
  const { folders, levels } = file;
  if (!folders) return null;
  if (isApplePackage(levels)) return labelOfPlace(file);
  const name = (levels.at(-1) ?? '').replace(/\.gz$/i, '').replace(/\.(?:mbox|mbx)$/i, '');
  return labelOfFolder([...folders.ownFoldersOf(levels, true), name]);
}
