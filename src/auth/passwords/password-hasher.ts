import { Injectable } from '@nestjs/common';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { HashingSlots } from './hashing-slots';
import { formatPasswordHash, parsePasswordHash, PasswordHash, ScryptCost } from './password-hash';

/** One of the equivalent settings of OWASP's Password Storage Cheat Sheet: 32 MiB, about a quarter second. */
const COST: ScryptCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const CONCURRENT = 2;
const MAX_WAITING = 64;

/** Verified when there is no stored hash, so that the time of an answer says nothing about who has an account. */
const NOBODY: PasswordHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };

/** Hashes passwords with scrypt, off the event loop. */
@Injectable()
export class PasswordHasher {
  private readonly slots = new HashingSlots(CONCURRENT, MAX_WAITING);

  /** @throws TooBusyToHash */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.derive(password, salt, COST, KEY_BYTES);
    return formatPasswordHash({ cost: COST, salt, key });
  }

  /**
   * Takes as long for a user without a password, or no user at all, as for a wrong password.
   * @throws TooBusyToHash
   */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const hash = stored === null ? null : parsePasswordHash(stored);
    const { cost, salt, key } = hash ?? NOBODY;
    const derived = await this.derive(password, salt, cost, key.length);
    return timingSafeEqual(derived, key) && hash !== null;
  }

  /** True when the hash was made with other parameters than today's. */
  isOutdated(stored: string): boolean {
    const cost = parsePasswordHash(stored)?.cost;
    return cost?.ln !== COST.ln || cost.r !== COST.r || cost.p !== COST.p;
  }

  private derive(password: string, salt: Buffer, { ln, r, p }: ScryptCost, bytes: number): Promise<Buffer> {
    const N = 2 ** ln;
    // Composed and decomposed accents are the same password, whatever keyboard it was typed on.
    const text = password.normalize('NFKC');
    return this.slots.run(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          scrypt(text, salt, bytes, { N, r, p, maxmem: 2 * 128 * N * r }, (error, key) =>
            error ? reject(error) : resolve(key),
          );
        }),
    );
  }
}
