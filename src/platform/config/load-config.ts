import { journalConfigOf, wrongJournalVariables } from './journal-config';
import { oauthIssuersOf } from './oauth-issuers';
import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { AppConfig } from './app-config';
import { Environment } from './environment';
import { parseUnitCosts, QUOTA_PRESETS } from './quota-presets';

export interface GeneratedSecrets {
  jwtSecret: string;
  encryptionKey: string;
}

/**
 * Secrets of the quick start: generated on the first run into `DATA_DIR/secrets.json` (mode 0600) and read
 * from there ever after. Losing the file makes sealed provider tokens unreadable, so it is written atomically.
 */
export function loadOrCreateSecrets(dataDir: string): GeneratedSecrets {
  const file = join(dataDir, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GeneratedSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true });
  const secrets: GeneratedSecrets = {
    jwtSecret: randomBytes(48).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
  const temporary = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  writeSync(descriptor, JSON.stringify(secrets, null, 2));
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(temporary, file);
  return secrets;
}

/** A wrong environment: names the variables, never their content. */
export class ConfigurationInvalid extends Error {
  constructor(readonly variables: readonly string[]) {
    super(`Configuration is invalid: check ${variables.join(', ')} (see .env.example).`);
    this.name = 'ConfigurationInvalid';
  }
}

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** `true|false`, a number of hops, or a comma-separated list of addresses and networks, as Express takes it. */
function parseTrustProxy(value: string | undefined): boolean | number | string {
  if (!value || value === 'false') return false;
  if (value === 'true') return true;
  return /^\d+$/.test(value) ? Number(value) : value;
}

const PROXY_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isTrustProxy(value: string | undefined): boolean {
  if (value === undefined || /^(true|false|\d+)$/.test(value)) return true;
  return value.split(',').every((entry) => {
    const [address = '', prefix] = entry.trim().split('/');
    if (PROXY_NETWORKS.has(address)) return prefix === undefined;
    const bits = isIP(address) === 6 ? 128 : 32;
    return isIP(address) > 0 && (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits));
  });
}

const splitList = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** An address, or with a port `192.0.2.1:53` or `[2001:db8::1]:53`. */
function isNameServer(text: string): boolean {
  if (isIP(text) > 0) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIP(ipv6 ?? '') === 6 || isIP(ipv4 ?? '') === 4) && Number(port ?? 53) <= 65_535;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function decodeKey(text: string): Buffer {
  return /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
}

function validateEnvironment(env: NodeJS.ProcessEnv): Environment {
  // An empty value in a compose file or .env means "not set".
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== '' && value !== undefined),
  );
  const instance = plainToInstance(Environment, present, { exposeDefaultValues: true });
  const wrong = validateSync(instance, { forbidUnknownValues: false }).map((error) => error.property);
  if (!isTrustProxy(instance.TRUST_PROXY)) wrong.push('TRUST_PROXY');
  if (!splitList(instance.EGRESS_DNS_SERVERS).every(isNameServer)) wrong.push('EGRESS_DNS_SERVERS');
  if (instance.SANDBOX_MAIL_DIR && !isDirectory(instance.SANDBOX_MAIL_DIR)) wrong.push('SANDBOX_MAIL_DIR');
  wrong.push(...wrongJournalVariables(instance));
  if (instance.NODE_ENV === 'production') {
    if (!instance.DATABASE_URL) wrong.push('DATABASE_URL');
    if (!instance.REDIS_URL) wrong.push('REDIS_URL');
    if (instance.SANDBOX) wrong.push('SANDBOX');
    // The service trusts what the provider says about users, so that nothing on the way may alter it.
    if (instance.OIDC_ISSUER?.startsWith('http:')) wrong.push('OIDC_ISSUER');
  }
  if (wrong.length > 0) throw new ConfigurationInvalid([...new Set(wrong)]);
  return instance;
}

/**
 * Reads and validates the environment.
 * @throws ConfigurationInvalid naming every wrong variable.
 */
export function loadConfig(environment: NodeJS.ProcessEnv): AppConfig {
  const env = validateEnvironment(environment);
  const production = env.NODE_ENV === 'production';
  const dataDir = resolve(env.DATA_DIR ?? 'data');
  const port = env.PORT ?? 3000;
  const preset = QUOTA_PRESETS[env.PROVIDER_QUOTA_PRESET ?? 'gmail'];
  const generated = env.JWT_SECRET && env.ENCRYPTION_KEY ? null : loadOrCreateSecrets(dataDir);
  const concurrency = env.PROVIDER_CONCURRENCY ?? 8;
  const imapConcurrency = env.IMAP_CONCURRENCY ?? 2;
  const poolSize = env.DATABASE_POOL_SIZE ?? 16;

  return new AppConfig({
    production,
    role: env.ROLE ?? 'all',
    http: {
      host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
      port,
      appUrl: (env.APP_URL ?? `http://localhost:${port}`).replace(/\/+$/, ''),
      trustProxy: parseTrustProxy(env.TRUST_PROXY),
      defaultJsonBytes: 64 * 1024,
      maxJsonBytes: 4 * MIB,
    },
    database: {
      url: env.DATABASE_URL ?? null,
      poolSize,
      perUser: Math.min(env.DATABASE_CONNECTIONS_PER_USER ?? Math.ceil(poolSize / 4), poolSize - 1),
      listMs: (env.DATABASE_LIST_SECONDS ?? 10) * 1_000,
      readMs: (env.DATABASE_READ_SECONDS ?? 30) * 1_000,
    },
    redis: { url: env.REDIS_URL ?? null, prefix: env.REDIS_PREFIX ?? 'mailroom' },
    storage: {
      dataDir,
      archiveDir: resolve(env.ARCHIVE_DIR ?? `${dataDir}/archive`),
      maxUploadBytes: env.MAX_UPLOAD_BYTES ?? 50 * GIB,
      watchDir: env.IMPORT_WATCH_DIR ?? null,
      watchSettleMs: (env.IMPORT_WATCH_SETTLE_SECONDS ?? 30) * 1_000,
      orphanGraceHours: env.ORPHAN_GRACE_HOURS ?? 48,
      objectStoreWaitMs: (env.OBJECT_STORE_PATIENCE_SECONDS ?? 120) * 1_000,
      backupStoreMs: (env.BACKUP_STORE_MINUTES ?? 120) * 60_000,
    },
    secrets: {
      jwtSecret: env.JWT_SECRET ?? generated!.jwtSecret,
      encryptionKey: decodeKey(env.ENCRYPTION_KEY ?? generated!.encryptionKey),
    },
    registration: {
      open: env.ALLOW_REGISTRATION ?? true,
      adminEmails: splitList(env.ADMIN_EMAIL).map((email) => email.toLowerCase()),
    },
    oidc:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID
        ? {
            issuer: env.OIDC_ISSUER,
            clientId: env.OIDC_CLIENT_ID,
            clientSecret: env.OIDC_CLIENT_SECRET ?? null,
            name: env.OIDC_NAME ?? 'Single sign-on',
            registrationOpen: env.OIDC_REGISTRATION ?? env.ALLOW_REGISTRATION ?? true,
          }
        : null,
    gmail: {
      clientId: env.GOOGLE_CLIENT_ID ?? null,
      clientSecret: env.GOOGLE_CLIENT_SECRET ?? null,
      authUrl: env.GOOGLE_AUTH_URL ?? 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: env.GOOGLE_TOKEN_URL ?? 'https://oauth2.googleapis.com/token',
      revokeUrl: env.GOOGLE_REVOKE_URL ?? 'https://oauth2.googleapis.com/revoke',
      rootUrl: (env.GMAIL_ROOT_URL ?? 'https://gmail.googleapis.com').replace(/\/+$/, ''),
    },
    oauthIssuers: oauthIssuersOf(env),
    provider: {
      unitsPerSecond: env.PROVIDER_UNITS_PER_SECOND ?? preset.unitsPerSecond,
      unitsPerMinute: env.PROVIDER_UNITS_PER_MINUTE ?? preset.unitsPerMinute,
      unitCosts: { ...preset.unitCosts, ...parseUnitCosts(env.PROVIDER_UNIT_COSTS) },
      defaultUnitCost: null,
      concurrency,
      maxConcurrency: Math.max(concurrency, env.PROVIDER_CONCURRENCY_MAX ?? 32),
      sequential: false,
      maxBytesInFlight: 64 * MIB,
    },
    imap: {
      limits: {
        unitsPerSecond: env.IMAP_UNITS_PER_SECOND ?? 20,
        unitsPerMinute: env.IMAP_UNITS_PER_MINUTE ?? 600,
        unitCosts: parseUnitCosts(env.IMAP_UNIT_COSTS),
        defaultUnitCost: 1,
        concurrency: imapConcurrency,
        maxConcurrency: Math.max(imapConcurrency, env.IMAP_CONCURRENCY_MAX ?? 3),
        sequential: true,
      },
      watches: env.IMAP_WATCHES ?? 100,
    },
    journal: journalConfigOf(env, env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1')),
    jobs: {
      maxOpenPerUser: env.MAX_OPEN_JOBS ?? 100,
      contentDays: env.JOB_CONTENT_DAYS ?? 30,
      historyDays: env.JOB_HISTORY_DAYS ?? 365,
      yield: env.JOBS_YIELD ?? true,
      readAttachments: env.READ_ATTACHMENTS ?? true,
      ocrLanguages: env.OCR_LANGUAGES ?? null,
      indexCheckMails: env.INDEX_CHECK_MAILS ?? 50,
    },
    limits: {
      requestsPerMinute: env.RATE_LIMIT_PER_MINUTE ?? 1_200,
      authRequestsPerMinute: env.RATE_LIMIT_AUTH_PER_MINUTE ?? 30,
    },
    egress: {
      allowPrivateNetworks: (env.EGRESS_PRIVATE_NETWORKS ?? (production ? 'deny' : 'allow')) === 'allow',
      dnsServers: splitList(env.EGRESS_DNS_SERVERS),
      autoconfigDatabase: env.IMAP_AUTOCONFIG_DATABASE?.replace(/\/+$/, '') ?? null,
    },
    metrics: { token: env.METRICS_TOKEN ?? null },
    workers: { threads: env.WORKER_THREADS ?? availableParallelism() },
    sandbox: {
      enabled: !production && (env.SANDBOX ?? !env.GOOGLE_CLIENT_ID),
      messages: env.SANDBOX_MESSAGES ?? 2_000,
      mailDir: env.SANDBOX_MAIL_DIR ? resolve(env.SANDBOX_MAIL_DIR) : null,
      port: env.SANDBOX_PORT ?? 0,
      latencyMs: env.SANDBOX_LATENCY_MS ?? 0,
      unitsPerSecond: env.SANDBOX_UNITS_PER_SECOND ?? null,
    },
    logging: { level: env.LOG_LEVEL ?? 'info' },
  });
}
