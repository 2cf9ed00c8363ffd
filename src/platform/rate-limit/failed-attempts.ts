import { createHash } from 'node:crypto';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisService } from '../redis/redis.service';
import { TooManyRequests } from './rate-limiter';

const MAX_FAILURES = 10;
const WINDOW_SECONDS = 15 * 60;

/** At most 10 wrong guesses of a secret in 15 minutes, for all processes together. */
export class FailedAttempts {
  private readonly limiter: RateLimiterRedis;

  /**
   * @param name of the counter in Redis: `login-failures`
   * @param refusal text for a person who has guessed too often
   */
  constructor(
    redis: RedisService,
    name: string,
    private readonly refusal: string,
  ) {
    this.limiter = new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: redis.key(name),
      points: MAX_FAILURES,
      duration: WINDOW_SECONDS,
    });
  }

  /**
   * Counts an attempt as failed before it is made, so that parallel guesses cannot slip past the limit.
   * @param whose secret is guessed
   * @throws TooManyRequests
   */
  async begin(whose: string): Promise<void> {
    try {
      await this.limiter.consume(keyOf(whose));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new TooManyRequests(
        refusal.msBeforeNext,
        this.refusal,
        refusal.consumedPoints === MAX_FAILURES + 1,
      );
    }
  }

  /** The guess was right: earlier failures no longer count. */
  async succeed(whose: string): Promise<void> {
    await this.limiter.delete(keyOf(whose));
  }

  /** The attempt could not be judged: it does not count. */
  async withdraw(whose: string): Promise<void> {
    await this.limiter.reward(keyOf(whose));
  }
}

const keyOf = (whose: string): string => createHash('sha256').update(whose).digest('base64url');
