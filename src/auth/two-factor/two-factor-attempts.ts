import { Injectable } from '@nestjs/common';
import { FailedAttempts } from '../../common/rate-limit/failed-attempts';
import { RedisService } from '../../common/redis/redis.service';
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
