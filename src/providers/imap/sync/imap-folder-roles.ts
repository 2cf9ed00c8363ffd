import { createHash } from 'node:crypto';
import type { ImapFolderRoles } from '../login/imap-account.entity';
import type { FolderRole, FolderRoleSource, ImapFolderEntity } from '../store/imap-index.entity';
import type { ListedFolder } from '../session/imap-session';

/** Roles by the attributes of RFC 6154. */
const BY_ATTRIBUTE: Readonly<Record<string, FolderRole>> = {
  '\\sent': 'sent',
  '\\drafts': 'drafts',
  '\\junk': 'junk',
  '\\trash': 'trash',
  '\\archive': 'archive',
};
/** Attributes of folders that show messages of others, or cannot be opened. */
const IGNORED = ['\\all', '\\flagged', '\\important', '\\noselect', '\\nonexistent'];

/** Roles by the last level of usual names, where the server does not declare a role. */
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

/** Labels of folders with a role. Archived messages have none; they only lack INBOX. */
const LABELS: Readonly<Partial<Record<FolderRole, string>>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  drafts: 'DRAFT',
  junk: 'SPAM',
  trash: 'TRASH',
};

/** Whether messages lie in folders of this role. At Gmail the other folders show the messages that have a label. */
export const holdsMessages = (role: FolderRole, gmailLabels: boolean): boolean =>
  gmailLabels ? ['archive', 'junk', 'trash'].includes(role) : role !== 'ignored';

/** Role of a folder, and the source of the role. */
export interface GivenRole {
  readonly role: FolderRole;
  readonly source: FolderRoleSource;
}

/** Properties of a folder on which its role depends. */
export type FolderToJudge = Pick<ListedFolder, 'path' | 'delimiter' | 'attributes' | 'problem'>;

/** Determines the roles of Gmail's folders, by path. `archive` is All Mail, which has all messages but spam and trash. */
export function gmailFolderRoles(folders: readonly FolderToJudge[]): Map<string, GivenRole> {
  return new Map(folders.map((folder) => [folder.path, { role: gmailRole(folder), source: 'server' }]));
}

function gmailRole({ path, attributes, problem }: FolderToJudge): FolderRole {
  if (problem) return 'ignored';
  if (path === 'INBOX') return 'inbox';
  if (attributes.includes('\\all')) return 'archive';
  if (attributes.some((name) => IGNORED.includes(name))) return 'ignored';
  const role = attributes.map((name) => BY_ATTRIBUTE[name]).find((found) => found !== undefined);
  return role && role !== 'archive' ? role : 'user';
}

/**
 * Determines the roles of folders, by path: the role that the user confirmed, else the one that the server declares,
 * else the former one. A role that no folder has then is given by name. A view stays a view. The order of the folders
 * does not matter.
 * @param known former roles, by the present paths of the folders
 */
export function folderRoles(
  folders: readonly FolderToJudge[],
  confirmed: ImapFolderRoles,
  known: ReadonlyMap<string, GivenRole> = new Map(),
): Map<string, GivenRole> {
  const roles = new Map<string, GivenRole>();
  const given = new Set<FolderRole>();
  const give = (path: string, role: FolderRole, source: FolderRoleSource): void => {
    roles.set(path, { role, source });
    given.add(role);
  };
  const sorted = folders.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path, attributes, problem } of sorted) {
    if (path === 'INBOX') give(path, 'inbox', 'server');
    else if (problem || attributes.some((name) => IGNORED.includes(name))) give(path, 'ignored', 'server');
    else if (confirmed[path]) give(path, confirmed[path], 'user');
    else if (known.get(path)?.source === 'view') give(path, 'ignored', 'view');
  }
  const open = (): FolderToJudge[] => sorted.filter(({ path }) => !roles.has(path));
  const declared = open().flatMap(({ path, attributes }) => {
    const role = attributes.map((name) => BY_ATTRIBUTE[name]).find((found) => found !== undefined);
    return role ? [{ path, role }] : [];
  });
  // When the server declares a role for two folders, the one that has it keeps it.
  const isFormer = ({ path, role }: { path: string; role: FolderRole }): boolean =>
    known.get(path)?.role === role;
  for (const { path, role } of [...declared.filter(isFormer), ...declared]) {
    if (!roles.has(path) && !given.has(role)) give(path, role, 'server');
  }
  for (const { path } of open()) {
    const before = known.get(path);
    // A role that the user has withdrawn is determined anew.
    if (!before || before.source === 'user' || !LASTING.includes(before.role)) continue;
    if (!given.has(before.role)) give(path, before.role, before.source);
  }
  const named = open()
    .flatMap((folder) => roleByName(folder) ?? [])
    .toSorted((one, other) => one.rank - other.rank);
  for (const { path, role } of named) if (!given.has(role)) give(path, role, 'name');
  return new Map(folders.map(({ path }) => [path, roles.get(path) ?? { role: 'user', source: 'name' }]));
}

/** Roles that a folder keeps once it has them. */
const LASTING: readonly FolderRole[] = ['sent', 'drafts', 'junk', 'trash', 'archive'];
const NAMES = Object.keys(BY_NAME);

/** Finds the role that a folder's name stands for. Usual names, and folders at higher levels, rank first. */
function roleByName({
  path,
  delimiter,
}: FolderToJudge): { path: string; role: FolderRole; rank: number } | undefined {
  const levels = delimiter ? path.split(delimiter) : [path];
  const name = (levels.at(-1) ?? '').normalize('NFC').toLowerCase();
  const role = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  // At lower levels a name may mean anything.
  const isTop = levels.length === 1 || (levels.length === 2 && levels[0]?.toUpperCase() === 'INBOX');
  return role && isTop ? { path, role, rank: levels.length * NAMES.length + NAMES.indexOf(name) } : undefined;
}

/** Returns the roles of known folders in the form that `folderRoles` takes. */
export const rolesOf = (folders: readonly ImapFolderEntity[]): Map<string, GivenRole> =>
  new Map(folders.map(({ path, role, roleSource }) => [path, { role, source: roleSource }]));

/**
 * Derives the id of a folder's label; null for a role without one. It is stored, so that it stays when the folder is
 * renamed.
 * @param taken labels of other folders; a renamed folder has that of its former name
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

/** Returns the name of a label: the levels of the path joined by `/`. */
export const labelNameOf = (path: string, delimiter: string | null): string =>
  delimiter && delimiter !== '/' ? path.split(delimiter).join('/') : path;
