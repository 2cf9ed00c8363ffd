import { createHash, randomBytes } from 'node:crypto';

/** The beginning of every API key, so that people and scanners of leaked secrets recognise one. */
const API_KEY_PREFIX = 'mrk_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** 62^43 is just above 2^256. */
const RANDOM_CHARACTERS = 43;
/** 62^6 is just above 2^32. */
const CHECKSUM_CHARACTERS = 6;
const SHOWN_CHARACTERS = 12;

const FORM = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/**
 * A new key: `mrk_`, 256 random bits in 43 characters of 0-9A-Za-z, and 6 characters of checksum. A double click selects
 * all of it, scanners for leaked secrets recognise its format, and a mistyped key is refused without a query.
 */
export function newApiKey(): string {
  const random = API_KEY_PREFIX + base62(randomBytes(RANDOM_BYTES), RANDOM_CHARACTERS);
  return random + checksumOf(random);
}

/** Whether a text has the form of a key and its checksum is right. */
export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return text.slice(-CHECKSUM_CHARACTERS) === checksumOf(text.slice(0, -CHECKSUM_CHARACTERS));
}

/** SHA-256, which is stored in place of the key. A key is random, so its plain hash cannot be reversed by guessing. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The beginning of a key, by which people recognise it. */
export const shownPrefixOf = (key: string): string => key.slice(0, SHOWN_CHARACTERS);

/** The first 32 bits of the SHA-256 of everything before. */
const checksumOf = (text: string): string =>
  base62(createHash('sha256').update(text).digest().subarray(0, 4), CHECKSUM_CHARACTERS);

function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < length; digit += 1) {
    text = ALPHABET[Number(rest % 62n)]! + text;
    rest /= 62n;
  }
  return text;
}
