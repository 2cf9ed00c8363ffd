import { Injectable } from '@nestjs/common';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../common/rate-limit/rate-limiter';
import { RedisService } from '../../common/redis/redis.service';

const PER_MINUTE = 10;
/** Longer than a request to a receiver may take: only a trial whose process died is waited for that long. */
const UNDER_WAY_SECONDS = 15;

/** Nobody hammers others through trials: a user has 10 a minute, a webhook one at a time, for all processes together. */
@Injectable()
export class TrialLimits {
  private readonly ofUser: RateLimiterRedis;
  private readonly ofWebhook: RateLimiterRedis;

  constructor(redis: RedisService) {
    const limiter = (name: string, points: number, duration: number): RateLimiterRedis =>
      new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: redis.key('webhook-trials', name),
        points,
        duration,
      });
    this.ofUser = limiter('user', PER_MINUTE, 60);
    this.ofWebhook = limiter('webhook', 1, UNDER_WAY_SECONDS);
  }

  /** @throws TooManyRequests */
  async within<T>(userId: string, webhookId: string, trial: () => Promise<T>): Promise<T> {
    await consume(
      this.ofUser,
      userId,
      `A webhook can be tested ${PER_MINUTE} times a minute; wait a little.`,
    );
    await consume(this.ofWebhook, webhookId, 'This webhook is being tested right now.');
    try {
      return await trial();
    } finally {
      await this.ofWebhook.delete(webhookId);
    }
  }
}

async function consume(limiter: RateLimiterRedis, key: string, refusalText: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyRequests(refusal.msBeforeNext, refusalText);
  }
}
