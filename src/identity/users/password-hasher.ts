import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import { hashSecret, isHashOf, isOutdatedHash } from '../../platform/crypto/scrypt';
import { requireUncommonPassword } from './password-rules';
import { SignInBusy } from './users.errors';

/**
 * Each at work takes 32 MiB and a thread of the four that also work with files. Behind a proxy that is not trusted
 * (`TRUST_PROXY`) everybody has one address, so many of it may wait.
 */
const LIMITS = { capacity: 2, perKey: 1, maxWaitingPerKey: 64, maxWaiting: 256 } as const;

/** Composed and decomposed accents are the same password, whatever keyboard typed it. */
const canonical = (password: string): string => password.normalize('NFKC');

/**
 * Hashes passwords with scrypt, a few at a time. Callers take turns: a caller is the user who is signed in, or else the
 * client's address (`clientKey`), never the account that the attempt is for, because its owner must not have to
 * wait behind the attacker.
 */
@Injectable()
export class PasswordHasher {
  private readonly slots = new FairSemaphore({
    ...LIMITS,
    refusal: () => new SignInBusy(),
  });

  /**
   * Hashes a password that is being chosen.
   * @param chosen the field of the request, and the user's address
   * @throws ValidationFailed for one that everybody tries first, SignInBusy
   */
  async hashNew(
    password: string,
    chosen: { readonly field: string; readonly email: string },
    caller: string,
  ): Promise<string> {
    requireUncommonPassword(password, chosen);
    return this.hash(password, caller);
  }

  /** Hashes a password as it is, also one that could not be chosen any more. @throws SignInBusy */
  hash(password: string, caller: string): Promise<string> {
    return this.slots.run(caller, () => hashSecret(canonical(password)));
  }

  /**
   * Takes as long for a user without a password, or no user at all, as for a wrong password.
   * @throws SignInBusy
   */
  verify(password: string, stored: string | null, caller: string): Promise<boolean> {
    return this.slots.run(caller, () => isHashOf(canonical(password), stored));
  }

  /** True when the hash was made with other parameters than the current ones. */
  isOutdated(stored: string): boolean {
    return isOutdatedHash(stored);
  }
}
