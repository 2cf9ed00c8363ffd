import type { INestApplication } from '@nestjs/common';
import { randomBytes, scryptSync } from 'node:crypto';
import { canonicalPassphrase } from '../../src/archive/passphrases/mail-keys';
import { PassphrasesService } from '../../src/archive/passphrases/passphrases.service';
import { PasswordHasher } from '../../src/identity/users/password-hasher';
import { formatScryptHash } from '../../src/platform/crypto/scrypt-hash';

const COST = { ln: 4, r: 8, p: 1 };

/**
 * A hash of the usual form, verified in the usual way, at a cost that takes no time.
 * @param secret in its canonical form
 */
export function quickHash(secret: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(secret, salt, 32, { N: 2 ** COST.ln, r: COST.r, p: COST.p });
  return formatScryptHash({ cost: COST, salt, key });
}

/**
 * Has an application store passwords and passphrases under a cost that takes no time: in most specs users are only there
 * to own something.
 */
export function hashQuickly(app: INestApplication): void {
  const [passwords, passphrases] = hashersOf(app);
  passwords.hash = (password) => Promise.resolve(quickHash(password.normalize('NFKC')));
  passwords.isOutdated = () => false;
  passphrases.hash = (passphrase) => Promise.resolve(quickHash(canonicalPassphrase(passphrase)));
}

/** Does something while an application hashes what is chosen as the product does, a quarter second each. */
export async function withRealHashes<T>(app: INestApplication, work: () => Promise<T>): Promise<T> {
  const [passwords, passphrases]: readonly [Partial<PasswordHasher>, Partial<PassphrasesService>] =
    hashersOf(app);
  delete passwords.hash;
  delete passwords.isOutdated;
  delete passphrases.hash;
  try {
    return await work();
  } finally {
    hashQuickly(app);
  }
}

function hashersOf(app: INestApplication): readonly [PasswordHasher, PassphrasesService] {
  return [app.get(PasswordHasher, { strict: false }), app.get(PassphrasesService, { strict: false })];
}
