import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import { hashSecret, isHashOf } from '../../platform/crypto/scrypt';
import { Transactions } from '../../platform/database/transactions';
import { FailedAttempts } from '../../platform/rate-limit/failed-attempts';
import { RedisService } from '../../platform/redis/redis.service';
import { EncryptionPassphrasesRepository } from './encryption-passphrases.repository';
import {
  EncryptionAlreadyConfigured,
  EncryptionNotConfigured,
  PassphraseInvalid,
  PassphrasesBusy,
} from './encryption.errors';
import { canonicalPassphrase, MailKeys } from './mail-keys';

/** Counts wrong passphrases of each user. */
@Injectable()
export class PassphraseAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'passphrase-failures', 'Too many wrong passphrases; wait a few minutes.');
  }
}

/**
 * Limits of passphrase checks. A running check hashes twice, with 32 MiB and one of the process's four threads each time.
 * A page of encrypted pictures makes some dozens of requests at once.
 */
const LIMITS = { capacity: 2, perKey: 1, maxWaitingPerKey: 64, maxWaiting: 256 } as const;

/** The passphrase of a user, kept as a scrypt hash: set up once, then required to encrypt or decrypt. */
@Injectable()
export class PassphrasesService {
  private readonly slots = new FairSemaphore({
    ...LIMITS,
    refusal: () => new PassphrasesBusy(),
  });

  constructor(
    private readonly hashes: EncryptionPassphrasesRepository,
    private readonly attempts: PassphraseAttempts,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  async isConfigured(userId: string): Promise<boolean> {
    return (await this.hashes.hashOf(userId)) !== null;
  }

  /**
   * Makes this the user's passphrase; only its hash is kept.
   * @throws EncryptionAlreadyConfigured, PassphrasesBusy
   */
  async setUp(userId: string, passphrase: string): Promise<void> {
    if (await this.isConfigured(userId)) throw new EncryptionAlreadyConfigured();
    const hash = await this.slots.run(userId, () => this.hash(passphrase));
    await this.transactions.run(async (transaction) => {
      // One of two simultaneous requests wins; the other must learn that its passphrase was not taken.
      const isFirst = await this.hashes.add(userId, hash, transaction);
      if (!isFirst) throw new EncryptionAlreadyConfigured();
      await this.audit.record({ action: 'encryption.set-up', userId }, transaction);
    });
  }

  /** Hashes a passphrase that is being set up. */
  hash(passphrase: string): Promise<string> {
    return hashSecret(canonicalPassphrase(passphrase));
  }

  /**
   * Whether it is the user's passphrase. After 10 wrong attempts in 15 minutes further ones are refused; a right one
   * resets the count. A wrong attempt takes as long as a right one.
   * @throws EncryptionNotConfigured, TooManyRequests, PassphrasesBusy
   */
  async verify(userId: string, passphrase: string): Promise<boolean> {
    return (await this.check(userId, passphrase, async () => {})) !== null;
  }

  /**
   * Checks a passphrase as `verify` does, for `unlockProven`.
   * @returns the hash it was checked against, which the caller keeps beside the passphrase
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests, PassphrasesBusy
   */
  async prove(userId: string, passphrase: string): Promise<string> {
    const proof = await this.check(userId, passphrase, async () => {});
    if (proof === null) throw new PassphraseInvalid();
    return proof;
  }

  /**
   * Does what `unlock` does for a passphrase that was found right before: it is not hashed again while its user's hash is the
   * same. It still waits for a slot, and is refused while attempts are refused.
   * @param proof of `prove`
   */
  async unlockProven(userId: string, passphrase: string, proof: string, salt: Buffer): Promise<MailKeys> {
    if ((await this.hashes.hashOf(userId)) !== proof) return this.unlock(userId, passphrase, salt);
    const keys = new MailKeys(passphrase);
    await this.slots.run(userId, async () => {
      await this.attempts.begin(userId);
      try {
        await keys.deriveKey(salt);
      } finally {
        await this.attempts.withdraw(userId);
      }
    });
    return keys;
  }

  /**
   * Checks a passphrase as `verify` does and returns the keys of the user's encrypted mails.
   * @param salt of the file to be opened next: its key is derived at the same time, for a wrong passphrase too
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests, PassphrasesBusy
   */
  async unlock(userId: string, passphrase: string, salt?: Buffer): Promise<MailKeys> {
    const keys = new MailKeys(passphrase);
    const proof = await this.check(userId, passphrase, async () => {
      if (salt) await keys.deriveKey(salt);
    });
    if (proof === null) throw new PassphraseInvalid();
    return keys;
  }

  /**
   * @param meanwhile runs whether the passphrase is right or wrong, but not once attempts are refused
   * @returns the hash; null when the passphrase is wrong
   */
  private async check(
    userId: string,
    passphrase: string,
    meanwhile: () => Promise<void>,
  ): Promise<string | null> {
    const hash = await this.hashes.hashOf(userId);
    if (hash === null) throw new EncryptionNotConfigured();
    const isRight = await this.slots.run(userId, async () => {
      // The attempt is counted in the slot, not in the queue: a page that loads twenty encrypted images at once is not guessing.
      await this.attempts.begin(userId);
      const [isSame] = await this.withdrawOnError(userId, () =>
        Promise.all([isHashOf(canonicalPassphrase(passphrase), hash), meanwhile()]),
      );
      if (isSame) await this.attempts.succeed(userId);
      return isSame;
    });
    // Outside of the slot: this waits for the database.
    if (!isRight) await this.audit.recordRefusal({ action: 'passphrase.refused', userId });
    return isRight ? hash : null;
  }

  private async withdrawOnError<T>(userId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.attempts.withdraw(userId);
      throw error;
    }
  }
}
