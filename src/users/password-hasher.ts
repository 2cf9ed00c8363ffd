import { Injectable } from '@nestjs/common';
import { Semaphore } from '../common/concurrency/semaphore';
import { hashSecret, isHashOf, isOutdatedHash } from '../common/crypto/scrypt';
import { SignInBusy } from './users.errors';

const CONCURRENT = 2;
const MAX_WAITING = 64;

/** Composed and decomposed accents are the same password, whatever keyboard typed it. */
const canonical = (password: string): string => password.normalize('NFKC');

/** Hashes passwords with scrypt, a few at a time. */
@Injectable()
export class PasswordHasher {
  private readonly slots = new Semaphore(CONCURRENT, {
    maxWaiting: MAX_WAITING,
    refusal: () => new SignInBusy(),
  });

  /** @throws SignInBusy */
  hash(password: string): Promise<string> {
    return this.slots.run(() => hashSecret(canonical(password)));
  }

  /**
   * Takes as long for a user without a password, or no user at all, as for a wrong password.
   * @throws SignInBusy
   */
  verify(password: string, stored: string | null): Promise<boolean> {
    return this.slots.run(() => isHashOf(canonical(password), stored));
  }

  /** True when the hash was made with other parameters than the current ones. */
  isOutdated(stored: string): boolean {
    return isOutdatedHash(stored);
  }
}
