import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AppConfig } from '../config/app-config';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed value could not be opened: wrong key, wrong row, or altered. */
export class SecretUnreadable extends Error {
  constructor(cause?: unknown) {
    super('A stored secret cannot be read with the configured ENCRYPTION_KEY.', { cause });
    this.name = 'SecretUnreadable';
  }
}

/**
 * Secrets at rest: AES-256-GCM under `ENCRYPTION_KEY` with a random IV. The context (the row's id) is the
 * associated data, so a sealed value copied to another row does not open.
 */
@Injectable()
export class SecretBox {
  /** Keys by purpose, of which there are a few. */
  private readonly fingerprintKeys = new Map<string, Buffer>();

  constructor(private readonly config: AppConfig) {}

  /** Returns `v1.<base64url of IV, tag, ciphertext>`. */
  seal(value: object, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.config.secrets.encryptionKey, iv);
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /**
   * Computes a fingerprint that tells whether two texts are equal: HMAC-SHA-256 in hex, under a separate key derived
   * from `ENCRYPTION_KEY`. Without that key texts cannot be tried out against it, as they can against a plain hash.
   * @param purpose equal texts of different purposes have different fingerprints
   */
  fingerprint(text: string, purpose: string): string {
    return createHmac('sha256', this.fingerprintKey(purpose)).update(text).digest('hex');
  }

  private fingerprintKey(purpose: string): Buffer {
    const known = this.fingerprintKeys.get(purpose);
    if (known) return known;
    const derived = hkdfSync('sha256', this.config.secrets.encryptionKey, '', `fingerprint:${purpose}`, 32);
    const key = Buffer.from(derived);
    this.fingerprintKeys.set(purpose, key);
    return key;
  }

  /** Whether `open` would open it. */
  isReadable(sealed: string, context: string): boolean {
    try {
      this.open(sealed, context);
      return true;
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      return false;
    }
  }

  /** @throws SecretUnreadable */
  open<T extends object>(sealed: string, context: string): T {
    const [version, body] = sealed.split('.');
    if (version !== VERSION || !body) throw new SecretUnreadable();
    const bytes = Buffer.from(body, 'base64url');
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.config.secrets.encryptionKey, iv);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(tag);
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as T;
    } catch (error) {
      throw new SecretUnreadable(error);
    }
  }
}
