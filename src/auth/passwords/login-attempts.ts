import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../common/rate-limit/rate-limiter';
import { RedisService } from '../../common/redis/redis.service';

const MAX_FAILURES = 10;
const WINDOW_SECONDS = 15 * 60;

/**
 * At most 10 failed sign-ins per account in 15 minutes, for all processes together. Counted by address, so
 * addresses without an account behave alike.
 */
@Injectable()
export class LoginAttempts {
  private readonly limiter: RateLimiterRedis;

  constructor(redis: RedisService) {
    this.limiter = new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: redis.key('login-failures'),
      points: MAX_FAILURES,
      duration: WINDOW_SECONDS,
    });
  }

  /**
   * Counts an attempt as failed before it is made, so that parallel guesses cannot slip past the limit.
   * @throws TooManyRequests
   */
  async begin(email: string): Promise<void> {
    try {
      await this.limiter.consume(keyOf(email));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new TooManyRequests(
        refusal.msBeforeNext,
        'Too many failed sign-ins for this account; wait a few minutes.',
      );
    }
  }

  /** The password was right: earlier failures no longer count. */
  async succeed(email: string): Promise<void> {
    await this.limiter.delete(keyOf(email));
  }

  /** The attempt could not be judged: it does not count. */
  async withdraw(email: string): Promise<void> {
    await this.limiter.reward(keyOf(email));
  }
}

const keyOf = (email: string): string => createHash('sha256').update(email).digest('base64url');
