import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** First bytes of every encrypted file. */
export const MAGIC = Buffer.from('MBENC01', 'latin1');
export const SALT_BYTES = 32;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
/** Size of the header: magic, salt, IV, authentication tag. */
export const HEADER_BYTES = MAGIC.length + SALT_BYTES + IV_BYTES + TAG_BYTES;
/** Size of an AES-256 key. */
export const KEY_BYTES = 32;
export const CIPHER = 'aes-256-gcm';

/** The header of an encrypted file. */
export interface EncryptedHeader {
  /** Salt of the key derivation, 32 bytes. */
  readonly salt: Buffer;
  readonly iv: Buffer;
  readonly tag: Buffer;
}

/** The bytes are not an encrypted file, belong to another passphrase, or have been altered. */
export class NotDecryptable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`The file cannot be decrypted: ${reason}`, { cause });
    this.name = 'NotDecryptable';
  }
}

/**
 * Reads the first `HEADER_BYTES` of a file: 7-byte magic `MBENC01`, 32-byte salt, 12-byte IV, 16-byte tag.
 * @param start the file, or at least its header
 * @throws NotDecryptable
 */
export function readHeader(start: Buffer): EncryptedHeader {
  if (start.length < HEADER_BYTES || !start.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new NotDecryptable('it is no encrypted mail.');
  }
  let at = MAGIC.length;
  const next = (length: number): Buffer => start.subarray(at, (at += length));
  return { salt: next(SALT_BYTES), iv: next(IV_BYTES), tag: next(TAG_BYTES) };
}

/** The header of a file. */
export function formatHeader({ salt, iv, tag }: EncryptedHeader): Buffer {
  return Buffer.concat([MAGIC, salt, iv, tag], HEADER_BYTES);
}

/**
 * Encrypts a mail with AES-256-GCM under a fresh random IV.
 * @param key 32 bytes, derived from the passphrase and `salt`
 * @param file where the file is written; as long as it is
 * @returns the whole file
 */
export function encryptMail(
  plain: Buffer,
  key: Buffer,
  salt: Buffer,
  file: Buffer = Buffer.allocUnsafe(HEADER_BYTES + plain.length),
): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  cipher.update(plain).copy(file, HEADER_BYTES);
  // Counter mode leaves no bytes: final() only makes the tag.
  cipher.final();
  formatHeader({ salt, iv, tag: cipher.getAuthTag() }).copy(file);
  return file;
}

/**
 * The mail in an encrypted file.
 * @param key derived from the passphrase and the salt in the file's header
 * @throws NotDecryptable when the key is not the file's, or a bit of the file has changed
 */
export function decryptMail(file: Buffer, key: Buffer): Buffer {
  const { iv, tag } = readHeader(file);
  const decipher = createDecipheriv(CIPHER, key, iv).setAuthTag(tag);
  const plain = decipher.update(file.subarray(HEADER_BYTES));
  try {
    // Counter mode leaves no bytes: final() only checks the tag.
    decipher.final();
    return plain;
  } catch (error) {
    throw new NotDecryptable('the passphrase is another one, or the file has been altered.', error);
  }
}
