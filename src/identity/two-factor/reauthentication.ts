import { Injectable } from '@nestjs/common';
import { FailedAttempts } from '../../platform/rate-limit/failed-attempts';
import { RedisService } from '../../platform/redis/redis.service';
import { PasswordHasher } from '../users/password-hasher';
import type { UserEntity } from '../users/user.entity';
import { SecondFactor } from './second-factor';
import { PasswordInvalid, TotpInvalid } from './two-factor.errors';

/** Counts wrong passwords and codes of signed-in users who change how they sign in. */
@Injectable()
export class TwoFactorAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'two-factor-failures', 'Too many wrong passwords or codes; wait a few minutes.');
  }

  /**
   * Checks a guess, and counts it when it is wrong. A guess that cannot be checked does not count.
   * @param check throws PasswordInvalid or TotpInvalid when it is wrong
   * @throws TooManyRequests after ten wrong ones in 15 minutes
   */
  async guess<T>(userId: string, check: () => Promise<T>): Promise<T> {
    await this.begin(userId);
    try {
      const result = await check();
      await this.succeed(userId);
      return result;
    } catch (error) {
      const wrong = error instanceof PasswordInvalid || error instanceof TotpInvalid;
      if (!wrong) await this.withdraw(userId);
      throw error;
    }
  }
}

/** Password and code as the user typed them. */
export interface Proof {
  readonly password?: string;
  /** The field of the request that has the password; default `password`. */
  readonly passwordField?: string;
  /** A code of the authenticator app, or a recovery code. */
  readonly code?: string;
}

/**
 * Asks signed-in users for their credentials again before they change how they sign in: a session that was left open or
 * stolen must not become permanent access.
 */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly passwords: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: TwoFactorAttempts,
  ) {}

  /**
   * Requires the password of users who have one, and a code of users with a second factor.
   * @throws PasswordInvalid, TotpInvalid, TooManyRequests after ten wrong ones in 15 minutes
   */
  async require(user: UserEntity, { password, passwordField, code }: Proof): Promise<void> {
    const { id, passwordHash, totpEnabled } = user;
    if (passwordHash === null) return;
    await this.attempts.guess(id, async () => {
      const matches = await this.passwords.verify(password ?? '', passwordHash, id);
      if (!matches) throw new PasswordInvalid(passwordField);
      if (totpEnabled && !(await this.secondFactor.use(id, code ?? ''))) throw new TotpInvalid(403);
    });
  }
}
