import type { Answer } from '@mailroom/sdk';

export type Test = Answer<'imapAccounts.test'>;
export type Discovery = Answer<'imapAccounts.discover'>;
export type Candidate = Discovery['candidates'][number];
export type Certificate = NonNullable<Test['certificate']>;

/** Values of the form for a server and its login. */
export interface ImapForm {
  readonly host: string;
  readonly port: number | string;
  readonly security: 'tls' | 'starttls';
  readonly username: string;
  readonly password: string;
  /** SHA-256 of the one certificate that was confirmed; empty: any that verifies. */
  readonly certificateSha256: string;
}

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

/** Which folder has which role, as far as one has it. */
export type ChosenFolders = Readonly<Partial<Record<ChosenRole, string>>>;

export function chosenFolders(test: Pick<Test, 'folders'>): ChosenFolders {
  const chosen: Partial<Record<ChosenRole, string>> = {};
  for (const role of FOLDER_ROLES) {
    const folder = (test.folders ?? []).find((found) => found.role === role);
    if (folder) chosen[role] = folder.path;
  }
  return chosen;
}

/** Whether only the name of the chosen folder says what it is for. */
export const isByName = (
  { folders }: Pick<Test, 'folders'>,
  role: ChosenRole,
  chosen: string | undefined,
): boolean =>
  (folders ?? []).some(
    (folder) => folder.role === role && folder.path === chosen && folder.source === 'name',
  );

/** By path, as the service takes it: what differs from what the server declares, and what only a name suggested. */
export function confirmedRoles(test: Test, chosen: ChosenFolders): Record<string, ChosenRole> {
  const declared = new Set(
    (test.folders ?? [])
      .filter(({ source }) => source === 'server')
      .map(({ path, role }) => JSON.stringify([path, role])),
  );
  return Object.fromEntries(
    FOLDER_ROLES.flatMap((role) => {
      const path = chosen[role];
      return path === undefined || declared.has(JSON.stringify([path, role])) ? [] : [[path, role]];
    }),
  );
}

/** Pairs of digits, as other programs show fingerprints. */
export const shownFingerprint = (sha256: string): string =>
  (sha256.toUpperCase().match(/../g) ?? []).join(':');
