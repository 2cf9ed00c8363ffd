import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

const MAX_TIMESTAMP = 2 ** 48 - 1;

/**
 * An id for a mail that is about to be written: a UUID version 7 (RFC 9562) of the mail's arrival, so that mails lie in
 * the index in the order in which they came. Its other 74 bits are random: the file's key contains the id, and no key is ever used twice.
 */
export const newMailId = (date: Date): string => v7({ msecs: timestampOf(date) });

/**
 * A UUID version 7 of a date whose random bits are a hash of what it identifies: the same every time.
 * @param identity e.g. a mail and one of its parts
 */
export function deterministicId(date: Date, ...identity: readonly string[]): string {
  const hash = createHash('sha256');
  // Lengths keep ("ab", "c") and ("a", "bc") apart.
  for (const part of identity) hash.update(`${Buffer.byteLength(part)}:${part}`);
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUIntBE(timestampOf(date), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Milliseconds as a UUID version 7 holds them. */
const timestampOf = (date: Date): number => Math.min(Math.max(Math.trunc(date.getTime()), 0), MAX_TIMESTAMP);

/** The key of a new mail: `<userId>/<accountId>/<yyyy>/<mm>/<mailId>.eml`, year and month of its arrival in UTC. */
export function storageKey(userId: string, accountId: string, date: Date, mailId: string): string {
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  return `${accountPrefix(userId, accountId)}${year}/${month}/${mailId}.eml`;
}

/** Names one batch of later files: 16 hex digits. */
export const newFileTag = (): string => randomBytes(8).toString('hex');

/**
 * The key of a later file of a mail, e.g. its encrypted form: `<mailId>.<tag>.eml` in the month's folder.
 * @param key of the mail's present file
 * @param tag of `newFileTag`, drawn for each attempt at writing the file, so that a key stands for one file only
 */
export function laterStorageKey(key: string, mailId: string, tag: string): string {
  return `${monthFolder(key)}${mailId}.${tag}.eml`;
}

/** The folder, with its last slash, of the month a key is of: `<userId>/<accountId>/<yyyy>/<mm>/`. */
export function monthFolder(key: string): string {
  return /^(?:[^/]+\/){4}/.exec(key)?.[0] ?? key.slice(0, key.lastIndexOf('/') + 1);
}

/** The folder, with its last slash, of the account a key is of: `<userId>/<accountId>/`. */
export function accountFolder(key: string): string {
  return /^(?:[^/]+\/){2}/.exec(key)?.[0] ?? key;
}

/** Prefix of all keys of an account. */
export function accountPrefix(userId: string, accountId: string): string {
  return `${userId}/${accountId}/`;
}

/** Prefix of all keys of a user. */
export function userPrefix(userId: string): string {
  return `${userId}/`;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const MONTH = '\\d{4}/(?:0[1-9]|1[0-2])';
const TAG = '[0-9a-f]{16}';
/** Encrypted files used to lie in a folder named by their tag. */
const KEY = new RegExp(
  `^(${UUID})/(${UUID})/${MONTH}/(?:${TAG}/(?=${UUID}\\.eml$))?(${UUID})(?:\\.${TAG})?\\.eml$`,
);
const NAME = new RegExp(`/(${UUID})(?:\\.${TAG})?\\.eml$`);

/** The id of the mail whose file a key is of; null when it is of none. */
export function mailIdOf(key: string): string | null {
  return NAME.exec(key)?.[1] ?? null;
}

export interface ArchiveKey {
  readonly userId: string;
  readonly accountId: string;
  readonly mailId: string;
}

/** The parts of a key of exactly the form the archive gives it, now or formerly; null for anything else. */
export function parseArchiveKey(key: string): ArchiveKey | null {
  const match = KEY.exec(key);
  if (!match) return null;
  const [, userId, accountId, mailId] = match as unknown as [string, string, string, string];
  return { userId, accountId, mailId };
}
