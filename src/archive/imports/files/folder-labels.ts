import { systemLabelId } from '../mbox/takeout-headers';
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
/** Names of folders that hold all mail; they are no label. */
const NOWHERE = /^all mail\b/i;

/**
 * The label for a folder of an archive, as the import by IMAP has it: its names with `/` between levels, or the id of the
 * system label for a folder whose role is known by its name.
 */
export function labelOfFolder(levels: readonly string[]): string | null {
  const name = levels.join('/');
  if (name === '' || NOWHERE.test(name)) return null;
  const role = systemLabelId(name) ?? '';
  if (ROLES.has(role)) return role;
  return PROGRAM_NAMES[name.toLowerCase()] ?? [...name].slice(0, MAX_LABEL_LENGTH).join('');
}

/** The label for the folder that a file lies in; null: it lies in none. */
export function labelOfPlace({ folders, levels }: MailFile): string | null {
  return folders && labelOfFolder(folders.ownFoldersOf(levels, false));
}

/** The label for a file that is a folder; null for one that was uploaded by itself. */
export function labelOfFolderFile({ folders, levels }: MailFile): string | null {
  if (!folders) return null;
  const name = (levels.at(-1) ?? '').replace(/\.gz$/i, '').replace(/\.(?:mbox|mbx)$/i, '');
  return labelOfFolder([...folders.ownFoldersOf(levels, true), name]);
}
