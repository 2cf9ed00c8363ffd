import { createHash } from 'node:crypto';
import type { FolderRole } from './imap-index.entity';
import type { ListedFolder } from './imap-session';

/** RFC 6154 */
const BY_ATTRIBUTE: Readonly<Record<string, FolderRole>> = {
  '\\sent': 'sent',
  '\\drafts': 'drafts',
  '\\junk': 'junk',
  '\\trash': 'trash',
  '\\archive': 'archive',
};
/** Folders that show what lies in others, or cannot be opened. */
const IGNORED = ['\\all', '\\flagged', '\\important', '\\noselect', '\\nonexistent'];

/** Last levels of names that programs give, where the server does not say what a folder is for. */
const BY_NAME: Readonly<Record<string, FolderRole>> = {
  sent: 'sent',
  'sent items': 'sent',
  'sent messages': 'sent',
  'sent mail': 'sent',
  gesendet: 'sent',
  'gesendete objekte': 'sent',
  'éléments envoyés': 'sent',
  envoyés: 'sent',
  drafts: 'drafts',
  draft: 'drafts',
  entwürfe: 'drafts',
  brouillons: 'drafts',
  junk: 'junk',
  'junk e-mail': 'junk',
  'junk email': 'junk',
  spam: 'junk',
  'bulk mail': 'junk',
  spamverdacht: 'junk',
  indésirables: 'junk',
  trash: 'trash',
  'deleted items': 'trash',
  'deleted messages': 'trash',
  papierkorb: 'trash',
  'gelöschte objekte': 'trash',
  corbeille: 'trash',
  archive: 'archive',
  archives: 'archive',
  archiv: 'archive',
};

/** Labels of folders with a role; what is archived has none (it only lacks INBOX). */
const LABELS: Readonly<Partial<Record<FolderRole, string>>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  drafts: 'DRAFT',
  junk: 'SPAM',
  trash: 'TRASH',
};

/** Roles of the folders in which the messages of a mailbox lie: at Gmail the others show what has a label. */
export const holdsMessages = (role: FolderRole, gmailLabels: boolean): boolean =>
  gmailLabels ? ['archive', 'junk', 'trash'].includes(role) : role !== 'ignored';

/** What the folders of Gmail are for; `archive` is All Mail, which has everything but spam and trash. */
export function gmailFolderRoles(folders: readonly ListedFolder[]): Map<string, FolderRole> {
  return new Map(folders.map(({ path, attributes }) => [path, gmailRole(path, attributes)]));
}

function gmailRole(path: string, attributes: readonly string[]): FolderRole {
  if (path === 'INBOX') return 'inbox';
  if (attributes.includes('\\all')) return 'archive';
  if (attributes.some((name) => IGNORED.includes(name))) return 'ignored';
  const role = attributes.map((name) => BY_ATTRIBUTE[name]).find((found) => found !== undefined);
  return role && role !== 'archive' ? role : 'user';
}

/**
 * What each folder is for: as the user confirmed it, else as the server declares it, else, for a role that no folder has
 * otherwise, by its name.
 */
export function folderRoles(
  folders: readonly ListedFolder[],
  confirmed: Readonly<Record<string, FolderRole>>,
): Map<string, FolderRole> {
  const roles = new Map<string, FolderRole>();
  for (const { path, attributes } of folders) {
    if (path === 'INBOX') roles.set(path, 'inbox');
    else if (attributes.some((name) => IGNORED.includes(name))) roles.set(path, 'ignored');
    else if (confirmed[path]) roles.set(path, confirmed[path]);
  }
  const has = (role: FolderRole): boolean => [...roles.values()].includes(role);
  for (const { path, attributes } of folders) {
    const role = attributes.map((name) => BY_ATTRIBUTE[name]).find((found) => found !== undefined);
    if (role && !roles.has(path) && !has(role)) roles.set(path, role);
  }
  for (const { path, delimiter } of folders) {
    const levels = delimiter ? path.split(delimiter) : [path];
    const role = BY_NAME[(levels.at(-1) ?? '').normalize('NFC').toLowerCase()];
    // Deep in other folders a name means what its owner likes.
    const isTop = levels.length === 1 || (levels.length === 2 && levels[0]?.toUpperCase() === 'INBOX');
    if (role && isTop && !roles.has(path) && !has(role)) roles.set(path, role);
  }
  return new Map(folders.map(({ path }) => [path, roles.get(path) ?? 'user']));
}

/**
 * The label of a folder: kept when it is renamed, since it is stored then.
 * @param taken labels of other folders: one that was renamed has that of its former name
 */
export function labelOf(
  path: string,
  role: FolderRole,
  taken: ReadonlySet<string> = new Set(),
): string | null {
  if (role !== 'user') return LABELS[role] ?? null;
  for (let ordinal = 1; ; ordinal += 1) {
    const name = ordinal === 1 ? path : `${path}\0${ordinal}`;
    const id = `Folder_${createHash('sha256').update(name, 'utf8').digest('base64url').slice(0, 16)}`;
    if (!taken.has(id)) return id;
  }
}

/** The name of a label: the levels of the path joined by `/`. */
export const labelNameOf = (path: string, delimiter: string | null): string =>
  delimiter && delimiter !== '/' ? path.split(delimiter).join('/') : path;
