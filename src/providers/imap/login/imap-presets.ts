import type { TransferredBytes } from '../../port/provider-usage.port';
import type { ImapSecurity } from './imap-account.entity';

/** What a provider asks of people before IMAP works; clients have a text for each. */
export type ImapHint = 'app-password' | 'switch-on-imap' | 'bridge' | 'oauth-only' | 'connect-with-google';

/** What is known of a provider of mailboxes. How sure each fact is: docs/operations.md, "Providers by IMAP". */
export interface ImapPreset {
  readonly id: string;
  /** As the provider calls itself. */
  readonly name: string;
  /** Of its addresses. */
  readonly domains: readonly string[];
  /** Ends of the names of its MX hosts: domains of others that it keeps the mail of. */
  readonly mx: readonly string[];
  readonly host: string;
  /** Other hosts of it, or ends of their names (with a dot in front). */
  readonly hosts?: readonly string[];
  readonly port: number;
  readonly security: ImapSecurity;
  /** What the login is: the address, or what it has before the @. */
  readonly username: 'address' | 'local-part';
  readonly hint: ImapHint | null;
  /** Mailboxes there cannot be connected by IMAP with a password. */
  readonly refused?: boolean;
  /** Over all processes. */
  readonly maxConnections: number;
  /** What it lets a mailbox transfer in 24 hours. */
  readonly transferLimits?: TransferredBytes;
  /** A folder with so many messages may have more that IMAP does not show. */
  readonly folderLimits?: readonly number[];
}

/** For servers that nothing is known of. */
export const USUAL_CONNECTIONS = 3;

const TLS = { port: 993, security: 'tls', username: 'address', maxConnections: USUAL_CONNECTIONS } as const;

/** What people can set there (Gmail API, `ImapSettings.maxFolderSize`). */
const GMAIL_FOLDER_LIMITS = [1_000, 2_000, 5_000, 10_000];

/** Google Workspace Admin Help, "Gmail bandwidth limits": by IMAP, for each account. */
const GMAIL_TRANSFER_LIMITS = { receivedBytes: 2_500_000_000, sentBytes: 500_000_000 };

export const IMAP_PRESETS: readonly ImapPreset[] = [
  {
    ...TLS,
    id: 'gmail',
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    mx: ['.google.com', '.googlemail.com'],
    host: 'imap.gmail.com',
    hosts: ['imap.googlemail.com'],
    hint: 'connect-with-google',
    maxConnections: 5,
    folderLimits: GMAIL_FOLDER_LIMITS,
    transferLimits: GMAIL_TRANSFER_LIMITS,
  },
  {
    ...TLS,
    id: 'microsoft',
    name: 'Outlook',
    domains: [
      'outlook.com',
      'outlook.fr',
      'outlook.de',
      'hotmail.com',
      'hotmail.fr',
      'hotmail.de',
      'live.com',
      'msn.com',
    ],
    mx: ['.outlook.com'],
    host: 'outlook.office365.com',
    hosts: ['.outlook.com', '.office365.com', '.office.com'],
    hint: 'oauth-only',
    refused: true,
  },
  {
    ...TLS,
    id: 'icloud',
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    mx: ['.mail.icloud.com'],
    host: 'imap.mail.me.com',
    hosts: ['.mail.me.com'],
    username: 'local-part',
    hint: 'app-password',
  },
  {
    ...TLS,
    id: 'aol',
    name: 'AOL',
    domains: ['aol.com', 'aol.de', 'aol.fr', 'aim.com'],
    mx: [],
    host: 'imap.aol.com',
    hint: 'app-password',
    folderLimits: [10_000],
  },
  {
    ...TLS,
    id: 'yahoo',
    name: 'Yahoo',
    domains: [
      ...[
        'yahoo.com',
        'yahoo.fr',
        'yahoo.de',
        'yahoo.co.uk',
        'yahoo.es',
        'yahoo.it',
        'yahoo.ca',
        'yahoo.com.br',
      ],
      ...['ymail.com', 'rocketmail.com'],
    ],
    mx: ['.yahoodns.net'],
    host: 'imap.mail.yahoo.com',
    hint: 'app-password',
    folderLimits: [10_000],
  },
  {
    ...TLS,
    id: 'fastmail',
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    mx: ['.messagingengine.com'],
    host: 'imap.fastmail.com',
    hint: 'app-password',
    maxConnections: 5,
  },
  {
    ...TLS,
    id: 'gmx',
    name: 'GMX',
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    mx: ['.gmx.net'],
    host: 'imap.gmx.net',
    hint: 'switch-on-imap',
  },
  {
    ...TLS,
    id: 'webde',
    name: 'WEB.DE',
    domains: ['web.de'],
    mx: ['.web.de'],
    host: 'imap.web.de',
    hint: 'switch-on-imap',
  },
  {
    ...TLS,
    id: 'proton',
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    mx: ['.protonmail.ch'],
    // The bridge, which runs beside this service and has a certificate of its own.
    host: '127.0.0.1',
    port: 1143,
    security: 'starttls',
    hint: 'bridge',
  },
];

/** By the domain of an address. */
export const presetOfDomain = (domain: string): ImapPreset | null =>
  IMAP_PRESETS.find(({ domains }) => domains.includes(domain)) ?? null;

/** By the hosts that take the mail of a domain. */
export const presetOfMx = (exchanges: readonly string[]): ImapPreset | null =>
  IMAP_PRESETS.find(({ mx }) =>
    mx.some((end) => exchanges.some((exchange) => `.${exchange.toLowerCase()}`.endsWith(end))),
  ) ?? null;

/** By the host of a server. The bridge has none of its own: any server may be there. */
export const presetOfHost = (host: string): ImapPreset | null =>
  IMAP_PRESETS.find(
    (preset) =>
      preset.hint !== 'bridge' &&
      [preset.host, ...(preset.hosts ?? [])].some((end) =>
        end.startsWith('.') ? host.endsWith(end) : host === end,
      ),
  ) ?? null;

/** Bytes that the provider lets a mailbox transfer in 24 hours; null: no limit is known. */
export function transferLimitsOf({
  preset,
  gmailLabels,
}: {
  readonly preset: string | null;
  readonly gmailLabels: boolean;
}): TransferredBytes | null {
  if (gmailLabels) return GMAIL_TRANSFER_LIMITS;
  return IMAP_PRESETS.find(({ id }) => id === preset)?.transferLimits ?? null;
}

/** Whether a folder that shows so many messages may have older ones that it hides. */
export function mayHideMessages(
  { preset, gmailLabels }: { readonly preset: string | null; readonly gmailLabels: boolean },
  messages: number,
): boolean {
  const limits = gmailLabels
    ? GMAIL_FOLDER_LIMITS
    : IMAP_PRESETS.find(({ id }) => id === preset)?.folderLimits;
  return limits?.includes(messages) ?? false;
}

/** The login of an address. */
export const usernameOf = (preset: ImapPreset | null, email: string): string =>
  preset?.username === 'local-part' ? email.slice(0, email.lastIndexOf('@')) : email;
