import { createHash } from 'node:crypto';
import type { ImapFolderRoles } from '../login/imap-account.entity';
import type { FolderRole, FolderRoleSource, ImapFolderEntity } from '../store/imap-index.entity';
import type { ListedFolder } from '../session/imap-session';

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

/** What a folder is for, and who says so. */
export interface GivenRole {
  readonly role: FolderRole;
  readonly source: FolderRoleSource;
}

/** A folder as far as its role depends on it. */
export type FolderToJudge = Pick<ListedFolder, 'path' | 'delimiter' | 'attributes' | 'problem'>;

/** What the folders of Gmail are for; `archive` is All Mail, which has everything but spam and trash. */
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
 * What each folder is for: as the user confirmed it, else as the server declares it, else as it was before. A role that no
 * folder has then goes by name. A view stays one. The order in which the server lists its folders makes no difference.
 * @param known roles that were given before, by the paths that the folders have now
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
  // Of two that the server declares for one role the former one keeps it.
  const isFormer = ({ path, role }: { path: string; role: FolderRole }): boolean =>
    known.get(path)?.role === role;
  for (const { path, role } of [...declared.filter(isFormer), ...declared]) {
    if (!roles.has(path) && !given.has(role)) give(path, role, 'server');
  }
  for (const { path } of open()) {
    const before = known.get(path);
    // What the user has taken back is judged anew.
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

/** The role that the name of a folder stands for; usual names, and folders that lie less deep, come first. */
function roleByName({
  path,
  delimiter,
}: FolderToJudge): { path: string; role: FolderRole; rank: number } | undefined {
  const levels = delimiter ? path.split(delimiter) : [path];
  const name = (levels.at(-1) ?? '').normalize('NFC').toLowerCase();
  const role = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  // Deep in other folders a name means what its owner likes.
  const isTop = levels.length === 1 || (levels.length === 2 && levels[0]?.toUpperCase() === 'INBOX');
  return role && isTop ? { path, role, rank: levels.length * NAMES.length + NAMES.indexOf(name) } : undefined;
}

/** The roles that folders have, as `folderRoles` takes them. */
export const rolesOf = (folders: readonly ImapFolderEntity[]): Map<string, GivenRole> =>
  new Map(folders.map(({ path, role, roleSource }) => [path, { role, source: roleSource }]));

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
