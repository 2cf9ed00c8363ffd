import type { Schemas } from '@mailroom/sdk';
import { i18next } from '../../../i18n';
import type { imapImport } from '../../../i18n/en/imapImport';

export const TLS_PORT = 993;
export const INBOX = 'INBOX';

/** Values of the form. */
export type ImapForm = {
  readonly host: string;
  readonly port: number | string;
  readonly secure: boolean;
  readonly user: string;
  readonly pass: string;
  readonly folder: string;
  readonly maxMessages: number | string;
};

export type ImapField = keyof ImapForm;

/** Request body for the form. */
export const bodyOf = ({ host, port, folder, maxMessages, ...rest }: ImapForm) => ({
  ...rest,
  host: host.trim(),
  port: Number(port),
  folder: folder.trim() || INBOX,
  maxMessages: maxMessages === '' ? undefined : Number(maxMessages),
});

/** Request of an import. */
export type ImapImportRequest = Schemas['ImportImapDto'];

type Code = keyof typeof imapImport.wrong;

/** Which field a failure is about. */
const FIELDS: Readonly<Record<Code, ImapField>> = {
  'imap-host-unreachable': 'host',
  'imap-tls-failed': 'secure',
  'imap-tls-required': 'secure',
  'imap-login-failed': 'pass',
  'imap-folder-not-found': 'folder',
  'imap-folder-refused': 'folder',
};

const isNamed = (code: string | null): code is Code => code !== null && code in FIELDS;

/** The field that has to be changed before another try, and why; null when it is none of the form's. */
export function wrongField(
  { error, error_code: code }: Pick<Schemas['JobEventResponse'], 'error' | 'error_code'>,
  tried: ImapImportRequest,
): { readonly field: ImapField; readonly text: string } | null {
  if (!isNamed(code)) return null;
  const { host, user } = tried;
  const text = i18next.t(`imapImport.wrong.${code}`, {
    host,
    port: tried.port ?? TLS_PORT,
    user,
    folder: tried.folder ?? INBOX,
    detail: error ?? '',
  });
  return { field: FIELDS[code], text };
}
