import type { INestApplication } from '@nestjs/common';
import { randomBytes, scryptSync } from 'node:crypto';
import { PasswordHasher } from '../../src/identity/users/password-hasher';
import { formatScryptHash } from '../../src/platform/crypto/scrypt-hash';

const COST = { ln: 4, r: 8, p: 1 };

/** A hash of the usual form, so that whoever verifies it does it as always, under a cost that takes no time. */
export function quickHash(secret: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(secret.normalize('NFKC'), salt, 32, { N: 2 ** COST.ln, r: COST.r, p: COST.p });
  return formatScryptHash({ cost: COST, salt, key });
}

/**
 * Has an application store passwords under a cost that takes no time: in most specs users are only there to own
 * something.
 */
export function hashQuickly(app: INestApplication): void {
  const hasher = app.get(PasswordHasher, { strict: false });
  hasher.hash = (password) => Promise.resolve(quickHash(password));
  hasher.isOutdated = () => false;
}

/** Does something while an application hashes passwords as the product does, a quarter second each. */
export async function withRealPasswords<T>(app: INestApplication, work: () => Promise<T>): Promise<T> {
  const hasher: Partial<PasswordHasher> = app.get(PasswordHasher, { strict: false });
  delete hasher.hash;
  delete hasher.isOutdated;
  try {
    return await work();
  } finally {
    hashQuickly(app);
  }
}
