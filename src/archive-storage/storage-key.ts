import { createHash } from 'node:crypto';

const MAX_TIMESTAMP = 2 ** 48 - 1;

/**
 * The id of an archived mail: a UUID version 7 (RFC 9562) of the mail's date whose random bits are a hash of what
 * identifies the mail. A job that is killed and run again so writes the same file again instead of leaving the
 * first one behind, and mails lie in the index by date.
 * @param identity what makes the mail this mail, e.g. account, provider message id and content hash
 */
export function deterministicId(date: Date, ...identity: readonly string[]): string {
  const hash = createHash('sha256');
  // Lengths keep ("ab", "c") and ("a", "bc") apart.
  for (const part of identity) hash.update(`${Buffer.byteLength(part)}:${part}`);
  const bytes = hash.digest().subarray(0, 16);
  const milliseconds = Math.min(Math.max(Math.trunc(date.getTime()), 0), MAX_TIMESTAMP);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** `<userId>/<accountId>/<yyyy>/<mm>/<mailId>.eml`, year and month in UTC. */
export function storageKey(userId: string, accountId: string, date: Date, mailId: string): string {
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  return `${accountPrefix(userId, accountId)}${year}/${month}/${mailId}.eml`;
}

/**
 * Where the encrypted form of a mail goes: in a folder of its own beside the plain one, so that a key always stands for
 * the same bytes and whoever writes the plain file once more does not overwrite the encrypted one.
 * @param key of the plain file
 * @param run 16 hex digits of whoever writes it, never used twice
 */
export function encryptedStorageKey(key: string, run: string): string {
  const at = key.lastIndexOf('/') + 1;
  return `${key.slice(0, at)}${run}/${key.slice(at)}`;
}

/** The folder, with its last slash, of the month a key is of: `<userId>/<accountId>/<yyyy>/<mm>/`. */
export function monthFolder(key: string): string {
  return /^(?:[^/]+\/){4}/.exec(key)?.[0] ?? key.slice(0, key.lastIndexOf('/') + 1);
}

/** Everything an account has in a store lies under this. */
export function accountPrefix(userId: string, accountId: string): string {
  return `${userId}/${accountId}/`;
}

/** Everything a user has in a store lies under this. */
export function userPrefix(userId: string): string {
  return `${userId}/`;
}

/** The id of the mail whose file a key is of; null when it is of none. */
export function mailIdOf(key: string): string | null {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml$/.exec(key)?.[1] ?? null;
}

export interface ArchiveKey {
  readonly userId: string;
  readonly accountId: string;
  readonly mailId: string;
  /** Up to and with the last slash. */
  readonly folder: string;
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const MONTH = '\\d{4}/(?:0[1-9]|1[0-2])';
/** Of the attempt that wrote an encrypted file. */
const RUN = '[0-9a-f]{16}';
const KEY = new RegExp(`^((${ID})/(${ID})/${MONTH}/(?:${RUN}/)?)(${ID})\\.eml$`);

/** The parts of a key of exactly the form `storageKey` or `encryptedStorageKey` gives it; null for anything else. */
export function parseArchiveKey(key: string): ArchiveKey | null {
  const match = KEY.exec(key);
  if (!match) return null;
  const [, folder, userId, accountId, mailId] = match as unknown as [string, string, string, string, string];
  return { userId, accountId, mailId, folder };
}
