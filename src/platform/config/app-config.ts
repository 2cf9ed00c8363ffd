/** Limits that one kind of mail provider sets for an account. */
export interface ProviderLimits {
  readonly unitsPerSecond: number;
  readonly unitsPerMinute: number;
  /** Quota units by endpoint name, e.g. `messages.get`. */
  readonly unitCosts: Readonly<Record<string, number>>;
  /** Quota units of an endpoint that `unitCosts` does not list; null: it lists every endpoint. */
  readonly defaultUnitCost: number | null;
  /** Calls in flight per account to begin with, and the most it may grow to while the provider does not object. */
  readonly concurrency: number;
  readonly maxConcurrency: number;
  /** Whether the calls of one attempt follow each other on a connection, so that they need one slot together. */
  readonly sequential: boolean;
}

/** An authorisation server whose access tokens log in to an IMAP server, and the client registered there. */
export interface OAuthIssuerConfig {
  /** Wire name, e.g. `microsoft`. */
  readonly id: string;
  /** Name for people, e.g. `Outlook`. */
  readonly name: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** Endpoint of the device flow (RFC 8628); null: the issuer has none for mail. */
  readonly deviceUrl: string | null;
  /** Endpoint of RFC 7009; null: the issuer has none. */
  readonly revokeUrl: string | null;
  readonly scopes: readonly string[];
  /** Scopes without which the mailbox cannot be read. */
  readonly requiredScopes: readonly string[];
  /** Parameters of the authorisation request beyond the standard ones. */
  readonly extraParameters: Readonly<Record<string, string>>;
  readonly imapHost: string;
  readonly imapPort: number;
}

/** The SMTP listener that takes copied mail. */
export interface JournalConfig {
  readonly port: number;
  readonly host: string;
  /** Domain of the addresses that people are given, in lower case; also the name under which the listener greets. */
  readonly domain: string;
  /** Networks whose hosts may connect, as CIDR. */
  readonly networks: readonly string[];
  /** Files of the certificate and its key, as PEM; null: STARTTLS is not offered. */
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | null;
  /** Whether mail is taken over TLS only. */
  readonly requireTls: boolean;
  readonly maxMessageBytes: number;
  readonly maxConnections: number;
  /** Bytes of messages that have begun to arrive and are not archived yet. */
  readonly maxBytesInFlight: number;
  /** Longest silence of a client that is to send something, in milliseconds. */
  readonly idleMs: number;
}

/** The service's configuration, grouped by who uses it. Built once by `loadConfig`, then immutable. */
export interface AppConfigValues {
  readonly production: boolean;
  readonly role: 'all' | 'api' | 'worker';
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Origin of the single-page application and of redirects, without a trailing slash. */
    readonly appUrl: string;
    /** Express `trust proxy` value: false, a number of hops, or a list of addresses and networks. */
    readonly trustProxy: boolean | number | string;
    /** Largest JSON body, bytes: on most routes, and on those that take long lists of ids. */
    readonly defaultJsonBytes: number;
    readonly maxJsonBytes: number;
  };
  readonly database: {
    readonly url: string | null;
    readonly poolSize: number;
    /** Connections in use for one user at most. */
    readonly perUser: number;
    /** Time-outs of statements: of lists and searches, and of other requests that change nothing. */
    readonly listMs: number;
    readonly readMs: number;
  };
  readonly redis: { readonly url: string | null; readonly prefix: string };
  readonly storage: {
    readonly dataDir: string;
    readonly archiveDir: string;
    readonly maxUploadBytes: number;
    /** Folder whose files are imported, absolute; null: none. */
    readonly watchDir: string | null;
    /** Time for which a file there has to stay as it is before it is imported, in milliseconds. */
    readonly watchSettleMs: number;
    /** Age in hours from which a file that no row names is removed. */
    readonly orphanGraceHours: number;
    /** Time that jobs wait for an object store that cannot be reached, in milliseconds. */
    readonly objectStoreWaitMs: number;
    /** Time that a backup may read from one object store, in milliseconds. */
    readonly backupStoreMs: number;
  };
  readonly secrets: { readonly jwtSecret: string; /** 32 bytes */ readonly encryptionKey: Buffer };
  readonly registration: {
    readonly open: boolean;
    /** lower-case */ readonly adminEmails: readonly string[];
  };
  /** The OpenID provider people may sign in through; null: none. */
  readonly oidc: {
    /** The URL as the operator wrote it; the provider's own identifier is the `issuer` of its metadata. */
    readonly issuer: string;
    readonly clientId: string;
    /** null: a public client. */
    readonly clientSecret: string | null;
    /** Text of the button. */
    readonly name: string;
    /** Whether people the provider knows and this installation does not become users. */
    readonly registrationOpen: boolean;
  } | null;
  readonly gmail: {
    /** null: no client configured, Gmail cannot be connected. */
    readonly clientId: string | null;
    readonly clientSecret: string | null;
    readonly authUrl: string;
    readonly tokenUrl: string;
    readonly revokeUrl: string;
    /** Root of every Gmail API call, media and batch included, without a trailing slash. */
    readonly rootUrl: string;
  };
  /** Issuers of grants for IMAP that have a client. */
  readonly oauthIssuers: readonly OAuthIssuerConfig[];
  /** Gmail's limits. */
  readonly provider: ProviderLimits & {
    /** Bytes of message bodies in flight per process, of all providers. */
    readonly maxBytesInFlight: number;
  };
  readonly imap: {
    /** Endpoints are command names. */
    readonly limits: ProviderLimits;
    /** Mailboxes that a process listens to. */
    readonly watches: number;
  };
  /** The listener for mail that mail servers copy to Mailroom by SMTP; null: off. */
  readonly journal: JournalConfig | null;
  readonly jobs: {
    /** Pending and active jobs of a user. */
    readonly maxOpenPerUser: number;
    /** Days after the end of a job for which it can be taken up again: its payload, checkpoint and failures are kept. */
    readonly contentDays: number;
    /** Days after the end of a job for which its row is kept. */
    readonly historyDays: number;
    /** Whether jobs slow down while requests are late. */
    readonly yield: boolean;
    /** Whether the text of archived attachments is read for search. */
    readonly readAttachments: boolean;
    /** Languages in which the text of pictures is recognized, as tesseract wants them (`eng+fra`); null: it is not. */
    readonly ocrLanguages: string | null;
    /** Mails of each account for which the search index is checked each night; 0: none. */
    readonly indexCheckMails: number;
  };
  readonly limits: { readonly requestsPerMinute: number; readonly authRequestsPerMinute: number };
  readonly egress: {
    readonly allowPrivateNetworks: boolean;
    /** Addresses, with or without a port; none for the system's. */
    readonly dnsServers: readonly string[];
    /** A collection of mail configurations that is asked about domains, without a trailing slash; null for none. */
    readonly autoconfigDatabase: string | null;
  };
  readonly metrics: { readonly token: string | null };
  readonly workers: { readonly threads: number };
  readonly sandbox: {
    readonly enabled: boolean;
    readonly messages: number;
    readonly mailDir: string | null;
    readonly port: number;
    readonly latencyMs: number;
    readonly unitsPerSecond: number | null;
  };
  readonly logging: { readonly level: string };
}

/** Injection token and value in one: `constructor(private readonly config: AppConfig)`. */
export class AppConfig implements AppConfigValues {
  readonly production!: boolean;
  readonly role!: AppConfigValues['role'];
  readonly http!: AppConfigValues['http'];
  readonly database!: AppConfigValues['database'];
  readonly redis!: AppConfigValues['redis'];
  readonly storage!: AppConfigValues['storage'];
  readonly secrets!: AppConfigValues['secrets'];
  readonly registration!: AppConfigValues['registration'];
  readonly oidc!: AppConfigValues['oidc'];
  readonly gmail!: AppConfigValues['gmail'];
  readonly oauthIssuers!: AppConfigValues['oauthIssuers'];
  readonly provider!: AppConfigValues['provider'];
  readonly imap!: AppConfigValues['imap'];
  readonly journal!: AppConfigValues['journal'];
  readonly jobs!: AppConfigValues['jobs'];
  readonly limits!: AppConfigValues['limits'];
  readonly egress!: AppConfigValues['egress'];
  readonly metrics!: AppConfigValues['metrics'];
  readonly workers!: AppConfigValues['workers'];
  readonly sandbox!: AppConfigValues['sandbox'];
  readonly logging!: AppConfigValues['logging'];

  constructor(values: AppConfigValues) {
    Object.assign(this, values);
    Object.freeze(this);
  }

  /** A copy with some groups replaced, e.g. after the private database has been started. */
  with(changes: Partial<AppConfigValues>): AppConfig {
    return new AppConfig({ ...this, ...changes });
  }

  /** The database URL; the quick start has filled it in by the time anything asks. */
  get databaseUrl(): string {
    if (!this.database.url) throw new Error('DATABASE_URL is not set');
    return this.database.url;
  }

  /** The Redis URL; the quick start has filled it in by the time anything asks. */
  get redisUrl(): string {
    if (!this.redis.url) throw new Error('REDIS_URL is not set');
    return this.redis.url;
  }

  get runsApi(): boolean {
    return this.role !== 'worker';
  }

  get runsJobs(): boolean {
    return this.role !== 'api';
  }
}
