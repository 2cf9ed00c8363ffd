import type { ImapSecurity } from './imap-account.entity';

/** Step that a provider requires of users before IMAP works. Clients have a text for each. */
export type ImapHint = 'app-password' | 'switch-on-imap' | 'bridge' | 'oauth-only' | 'connect-with-google';

/** Facts about a provider of mailboxes. docs/operations.md, "Providers by IMAP", says how certain each is. */
export interface ImapPreset {
  readonly id: string;
  /** The provider's own name. */
  readonly name: string;
  /** Domains of its addresses. */
  readonly domains: readonly string[];
  /** Ends of the names of its MX hosts, by which domains are recognised whose mail it hosts. */
  readonly mx: readonly string[];
  readonly host: string;
  /** Its other hosts, or ends of their names (with a dot in front). */
  readonly hosts?: readonly string[];
  readonly port: number;
  readonly security: ImapSecurity;
  /** User name of the login: the address, or its part before the @. */
  readonly username: 'address' | 'local-part';
  readonly hint: ImapHint | null;
  /** Whether the provider refuses logins by IMAP with a password. */
  readonly refused?: boolean;
  /** Most connections of an account, over all processes. */
  readonly maxConnections: number;
}

/** Connections to servers without a preset. */
export const USUAL_CONNECTIONS = 3;

const TLS = { port: 993, security: 'tls', username: 'address', maxConnections: USUAL_CONNECTIONS } as const;

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
    // The address of Proton's bridge, which runs beside this service and has its own certificate.
    host: '127.0.0.1',
    port: 1143,
    security: 'starttls',
    hint: 'bridge',
  },
];

/** Finds the preset of an address by its domain. */
export const presetOfDomain = (domain: string): ImapPreset | null =>
  IMAP_PRESETS.find(({ domains }) => domains.includes(domain)) ?? null;

/** Finds the preset of a domain by its MX hosts. */
export const presetOfMx = (exchanges: readonly string[]): ImapPreset | null =>
  IMAP_PRESETS.find(({ mx }) =>
    mx.some((end) => exchanges.some((exchange) => `.${exchange.toLowerCase()}`.endsWith(end))),
  ) ?? null;

/** Finds the preset of a server by its host. It never finds the bridge: any server may run at its address. */
export const presetOfHost = (host: string): ImapPreset | null =>
  IMAP_PRESETS.find(
    (preset) =>
      preset.hint !== 'bridge' &&
      [preset.host, ...(preset.hosts ?? [])].some((end) =>
        end.startsWith('.') ? host.endsWith(end) : host === end,
      ),
  ) ?? null;

/** Returns the user name with which an address logs in. */
export const usernameOf = (preset: ImapPreset | null, email: string): string =>
  preset?.username === 'local-part' ? email.slice(0, email.lastIndexOf('@')) : email;
