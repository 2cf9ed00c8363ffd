import type { Answer } from '@mailroom/sdk';

export type Test = Answer<'imapAccounts.test'>;
export type Discovery = Answer<'imapAccounts.discover'>;
export type Candidate = Discovery['candidates'][number];
export type Certificate = NonNullable<Test['certificate']>;

/** Values of the form for a server and its login. */
export type ImapForm = {
  readonly host: string;
  readonly port: number | string;
  readonly security: 'tls' | 'starttls';
  readonly username: string;
  readonly password: string;
  /** SHA-256 of the one certificate that was confirmed; empty: any that verifies. */
  readonly certificateSha256: string;
};

export const PORTS = { tls: 993, starttls: 143 } as const;

/** A server that was found, or an empty form for an address of which nothing is known. */
export const formOf = (email: string, found: Candidate | undefined): ImapForm => ({
  host: found?.host ?? '',
  port: found?.port ?? PORTS.tls,
  security: found?.security ?? 'tls',
  username: found?.username ?? email,
  password: '',
  certificateSha256: '',
});

/** Request body for the form. */
export const bodyOf = (email: string, accountId: string | undefined, form: ImapForm) => ({
  email,
  accountId,
  host: form.host.trim(),
  port: Number(form.port),
  security: form.security,
  username: form.username.trim(),
  password: form.password,
  certificateSha256: form.certificateSha256 || undefined,
});

export const FOLDER_ROLES = ['archive', 'sent', 'drafts', 'junk', 'trash'] as const;
export type ChosenRole = (typeof FOLDER_ROLES)[number];

/** The folder of each role; null: none. */
export type ChosenFolders = Readonly<Record<ChosenRole, string | null>>;

export function foldersOf(test: Pick<Test, 'folders'>): ChosenFolders {
  const folderOf = (role: ChosenRole): string | null =>
    (test.folders ?? []).find((found) => found.role === role)?.path ?? null;
  return {
    archive: folderOf('archive'),
    sent: folderOf('sent'),
    drafts: folderOf('drafts'),
    junk: folderOf('junk'),
    trash: folderOf('trash'),
  };
}

/** Whether only the name of the chosen folder says what it is for. */
export const isByName = (
  { folders }: Pick<Test, 'folders'>,
  role: ChosenRole,
  chosen: string | null,
): boolean =>
  (folders ?? []).some(
    (folder) => folder.role === role && folder.path === chosen && folder.source === 'name',
  );

/** All chosen roles by path, as the service takes them. */
export const rolesOf = (chosen: ChosenFolders): Record<string, ChosenRole> =>
  Object.fromEntries(
    FOLDER_ROLES.flatMap((role) => (chosen[role] === null ? [] : [[chosen[role], role] as const])),
  );

/** By path, as the service takes it: what differs from what the server declares, and what only a name suggested. */
export function rolesToConfirm(test: Test, chosen: ChosenFolders): Record<string, ChosenRole> {
  const declared = new Set(
    (test.folders ?? [])
      .filter(({ source }) => source === 'server')
      .map(({ path, role }) => JSON.stringify([path, role])),
  );
  return Object.fromEntries(
    Object.entries(rolesOf(chosen)).filter((pathAndRole) => !declared.has(JSON.stringify(pathAndRole))),
  );
}

/** Pairs of digits, as other programs show fingerprints. */
export const formatFingerprint = (sha256: string): string =>
  (sha256.toUpperCase().match(/../g) ?? []).join(':');
