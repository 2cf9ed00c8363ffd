import ipaddr from 'ipaddr.js';
import { accessSync, constants } from 'node:fs';
import type { JournalConfig } from './app-config';
import type { Environment } from './environment';

const MIB = 1024 ** 2;

/** The configured listener for copied mail; null: no port is given, so there is none. */
export function journalConfigOf(env: Environment, defaultHost: string): JournalConfig | null {
  if (env.SMTP_JOURNAL_PORT === undefined) return null;
  const { SMTP_JOURNAL_TLS_CERT: certificateFile, SMTP_JOURNAL_TLS_KEY: keyFile } = env;
  return {
    port: env.SMTP_JOURNAL_PORT,
    host: env.SMTP_JOURNAL_HOST ?? defaultHost,
    domain: (env.SMTP_JOURNAL_DOMAIN ?? '').toLowerCase(),
    networks: networksOf(env),
    tls: certificateFile && keyFile ? { certificateFile, keyFile } : null,
    requireTls: env.SMTP_JOURNAL_REQUIRE_TLS ?? false,
    maxMessageBytes: env.SMTP_JOURNAL_MAX_MESSAGE_BYTES ?? 150 * MIB,
    maxConnections: env.SMTP_JOURNAL_MAX_CONNECTIONS ?? 50,
    maxBytesInFlight: env.SMTP_JOURNAL_MAX_BYTES_IN_FLIGHT ?? 512 * MIB,
    idleMs: (env.SMTP_JOURNAL_IDLE_SECONDS ?? 60) * 1_000,
  };
}

/** Names of the variables of the listener that contradict each other or name what is not there. */
export function wrongJournalVariables(env: Environment): string[] {
  if (env.SMTP_JOURNAL_PORT === undefined) return [];
  const wrong: string[] = [];
  const networks = networksOf(env);
  // A listener that is open to everybody has to say so: 0.0.0.0/0, ::/0.
  if (networks.length === 0 || !networks.every(isNetwork)) wrong.push('SMTP_JOURNAL_ALLOWED_NETWORKS');
  const { SMTP_JOURNAL_TLS_CERT: certificate, SMTP_JOURNAL_TLS_KEY: key } = env;
  if (key ? !certificate || !isReadable(certificate) : Boolean(certificate && !isReadable(certificate)))
    wrong.push('SMTP_JOURNAL_TLS_CERT');
  if (certificate ? !key || !isReadable(key) : Boolean(key && !isReadable(key)))
    wrong.push('SMTP_JOURNAL_TLS_KEY');
  if (env.SMTP_JOURNAL_REQUIRE_TLS && !(certificate && key)) wrong.push('SMTP_JOURNAL_TLS_CERT');
  return wrong;
}

/** Networks by commas; an address alone is a network of one. */
function networksOf({ SMTP_JOURNAL_ALLOWED_NETWORKS: value = '' }: Environment): string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => (ipaddr.isValid(entry) ? `${entry}/${entry.includes(':') ? 128 : 32}` : entry));
}

const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text);

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
