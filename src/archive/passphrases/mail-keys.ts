import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { KEY_BYTES } from './encrypted-file';

const ITERATIONS = 100_000;
const DIGEST = 'sha512';
export const MIN_PASSPHRASE_CHARACTERS = 8;
export const MAX_PASSPHRASE_CHARACTERS = 1_024;
/** Most keys kept: more than a user has encryption jobs. Further keys are derived each time. */
const MAX_KEPT = 1_000;

const derive = promisify(pbkdf2);

/** The form in which a passphrase is hashed and keys are derived: composed and decomposed accents are the same. */
export function canonicalPassphrase(passphrase: string): string {
  return passphrase.normalize('NFC');
}

/**
 * The key of one passphrase and salt: PBKDF2 (RFC 8018) with HMAC-SHA-512, 100,000 iterations, off the event loop.
 * @returns 32 bytes
 */
export function deriveMailKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return derive(canonicalPassphrase(passphrase), salt, ITERATIONS, KEY_BYTES, DIGEST);
}

/**
 * Keys of one passphrase, one per salt, each derived once. They live as long as the request or job with the passphrase,
 * and are never stored or logged.
 */
export class MailKeys {
  private readonly keys = new Map<string, Promise<Buffer>>();
  readonly #passphrase: string;

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  /** @param salt of an encrypted file */
  deriveKey(salt: Buffer): Promise<Buffer> {
    const name = salt.toString('base64');
    const known = this.keys.get(name);
    if (known) return known;
    if (this.keys.size >= MAX_KEPT) this.keys.delete(this.keys.keys().next().value!);
    const key = deriveMailKey(this.#passphrase, salt);
    this.keys.set(name, key);
    return key;
  }
}
