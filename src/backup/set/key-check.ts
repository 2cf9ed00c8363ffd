import { createHmac } from 'node:crypto';

/**
 * Tells whether a backup's sealed secrets open with a key, without telling the key: an HMAC of a constant, hex.
 * @param encryptionKey 32 bytes
 */
export function keyCheckOf(encryptionKey: Buffer): string {
  return createHmac('sha256', encryptionKey).update('mailroom backup key check 1').digest('hex');
}
