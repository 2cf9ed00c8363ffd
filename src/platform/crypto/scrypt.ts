import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { formatScryptHash, parseScryptHash, type ScryptCost, type ScryptHash } from './scrypt-hash';

/** One of the equivalent settings of OWASP's Password Storage Cheat Sheet: 32 MiB, about a quarter second. */
const COST: ScryptCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Verified when there is no stored hash, so that the time of an answer says nothing about whether there is one. */
const NOTHING: ScryptHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };

/**
 * Hashes a secret that people choose under a random salt, off the event loop. The caller brings it into its canonical
 * form and bounds how many are hashed at a time (`FairSemaphore`).
 * @returns a hash in the PHC string format
 */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return formatScryptHash({ cost: COST, salt, key: await derive(secret, salt, COST, KEY_BYTES) });
}

/**
 * Whether a hash is of this secret. Takes as long when there is no hash, or none that can be read.
 * @param stored as `hashSecret` made it
 */
export async function isHashOf(secret: string, stored: string | null): Promise<boolean> {
  const hash = stored === null ? null : parseScryptHash(stored);
  const { cost, salt, key } = hash ?? NOTHING;
  const derived = await derive(secret, salt, cost, key.length);
  return timingSafeEqual(derived, key) && hash !== null;
}

/** True when the hash was made with other parameters than today's. */
export function isOutdatedHash(stored: string): boolean {
  const cost = parseScryptHash(stored)?.cost;
  return cost?.ln !== COST.ln || cost.r !== COST.r || cost.p !== COST.p;
}

function derive(secret: string, salt: Buffer, { ln, r, p }: ScryptCost, bytes: number): Promise<Buffer> {
  const N = 2 ** ln;
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(secret, salt, bytes, { N, r, p, maxmem: 2 * 128 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
