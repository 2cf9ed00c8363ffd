import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import { HashingSlots } from '../common/concurrency/hashing-slots';
import { hashSecret, isHashOf } from '../common/crypto/scrypt';
import { Transactions } from '../common/database/transactions';
import { FailedAttempts } from '../common/rate-limit/failed-attempts';
import { RedisService } from '../common/redis/redis.service';
import { EncryptionPassphrasesRepository } from './encryption-passphrases.repository';
import {
  EncryptionAlreadyConfigured,
  EncryptionNotConfigured,
  PassphraseInvalid,
  PassphrasesBusy,
} from './encryption.errors';
import { canonicalPassphrase, MailKeys } from './mail-keys';

/** The passphrase of a user: set up once, then asked for whenever something is encrypted or opened. */
export abstract class PassphrasesService {
  abstract isConfigured(userId: string): Promise<boolean>;

  /**
   * Makes this the user's passphrase; only its hash is kept.
   * @throws EncryptionAlreadyConfigured, PassphrasesBusy
   */
  abstract setUp(userId: string, passphrase: string): Promise<void>;

  /**
   * Whether it is the user's passphrase. Attempts are limited: 10 wrong ones in 15 minutes, and a right one clears
   * them. A wrong one costs as much time as a right one.
   * @throws EncryptionNotConfigured, TooManyRequests, PassphrasesBusy
   */
  abstract verify(userId: string, passphrase: string): Promise<boolean>;

  /**
   * Checks a passphrase as `verify` does and answers what opens the user's encrypted mails.
   * @param salt of the file that is opened next: its key is derived meanwhile, for a wrong passphrase too
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests, PassphrasesBusy
   */
  abstract unlock(userId: string, passphrase: string, salt?: Buffer): Promise<MailKeys>;
}

/** Wrong passphrases per user. */
@Injectable()
export class PassphraseAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'passphrase-failures', 'Too many wrong passphrases; wait a few minutes.');
  }
}

const CONCURRENT = 2;
const MAX_WAITING = 64;

/** PassphrasesService kept as scrypt hashes. */
@Injectable()
export class HashedPassphrases extends PassphrasesService {
  private readonly slots = new HashingSlots(CONCURRENT, MAX_WAITING, () => new PassphrasesBusy());

  constructor(
    private readonly hashes: EncryptionPassphrasesRepository,
    private readonly attempts: PassphraseAttempts,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {
    super();
  }

  async isConfigured(userId: string): Promise<boolean> {
    return (await this.hashes.hashOf(userId)) !== null;
  }

  async setUp(userId: string, passphrase: string): Promise<void> {
    if (await this.isConfigured(userId)) throw new EncryptionAlreadyConfigured();
    const hash = await this.slots.run(() => hashSecret(canonicalPassphrase(passphrase)));
    await this.transactions.run(async (transaction) => {
      // Of two at the same time one wins, and the other must learn that theirs is not the passphrase.
      const isFirst = await this.hashes.add(userId, hash, transaction);
      if (!isFirst) throw new EncryptionAlreadyConfigured();
      await this.audit.record({ action: 'encryption.set-up', userId }, transaction);
    });
  }

  verify(userId: string, passphrase: string): Promise<boolean> {
    return this.judge(userId, passphrase, async () => {});
  }

  async unlock(userId: string, passphrase: string, salt?: Buffer): Promise<MailKeys> {
    const keys = new MailKeys(passphrase);
    const isRight = await this.judge(userId, passphrase, async () => {
      if (salt) await keys.keyFor(salt);
    });
    if (!isRight) throw new PassphraseInvalid();
    return keys;
  }

  /** @param meanwhile costs its time whether the passphrase is right or wrong, and nothing once guessing is refused */
  private async judge(userId: string, passphrase: string, meanwhile: () => Promise<void>): Promise<boolean> {
    const hash = await this.hashes.hashOf(userId);
    if (hash === null) throw new EncryptionNotConfigured();
    return this.slots.run(async () => {
      // Counted in the slot, not in the queue: a page that loads twenty encrypted images at once is no guessing.
      await this.attempts.begin(userId);
      const [isRight] = await this.undecidedWithdrawn(userId, () =>
        Promise.all([isHashOf(canonicalPassphrase(passphrase), hash), meanwhile()]),
      );
      if (isRight) await this.attempts.succeed(userId);
      else await this.audit.recordRefusal({ action: 'passphrase.refused', userId });
      return isRight;
    });
  }

  private async undecidedWithdrawn<T>(userId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.attempts.withdraw(userId);
      throw error;
    }
  }
}
