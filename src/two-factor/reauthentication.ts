import { Injectable } from '@nestjs/common';
import { FailedAttempts } from '../common/rate-limit/failed-attempts';
import { RedisService } from '../common/redis/redis.service';
import { PasswordHasher } from '../users/password-hasher';
import type { UserEntity } from '../users/user.entity';
import { SecondFactor } from './second-factor';
import { PasswordInvalid, TotpInvalid } from './two-factor.errors';

/** Wrong passwords and codes of somebody who is signed in and changes how they sign in, by user. */
@Injectable()
export class TwoFactorAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'two-factor-failures', 'Too many wrong passwords or codes; wait a few minutes.');
  }

  /**
   * Judges a guess, and counts it when it is wrong; one that cannot be judged does not count.
   * @param judge throws PasswordInvalid or TotpInvalid when it is wrong
   * @throws TooManyRequests after ten wrong ones in 15 minutes
   */
  async guess<T>(userId: string, judge: () => Promise<T>): Promise<T> {
    await this.begin(userId);
    try {
      const judged = await judge();
      await this.succeed(userId);
      return judged;
    } catch (error) {
      const wrong = error instanceof PasswordInvalid || error instanceof TotpInvalid;
      if (!wrong) await this.withdraw(userId);
      throw error;
    }
  }
}

/** What somebody shows, as they typed it. */
export interface Proof {
  readonly password?: string;
  /** Of the app, or a recovery code. */
  readonly code?: string;
}

/**
 * Has somebody who is signed in show again who they are, before they change how they sign in: a session that was left
 * open or stolen must not become a way in for good.
 */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly passwords: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: TwoFactorAttempts,
  ) {}

  /**
   * Wants the password of users who have one, and a code of those who have a second factor.
   * @throws PasswordInvalid, TotpInvalid, TooManyRequests after ten wrong ones in 15 minutes
   */
  async require(user: UserEntity, { password, code }: Proof): Promise<void> {
    const { id, passwordHash, totpEnabled } = user;
    if (passwordHash === null) return;
    await this.attempts.guess(id, async () => {
      const matches = await this.passwords.verify(password ?? '', passwordHash);
      if (!matches) throw new PasswordInvalid();
      if (totpEnabled && !(await this.secondFactor.use(id, code ?? ''))) throw new TotpInvalid(403);
    });
  }
}
