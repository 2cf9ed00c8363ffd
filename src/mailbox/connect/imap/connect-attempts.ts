import { Injectable } from '@nestjs/common';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../../platform/rate-limit/rate-limiter';
import { RedisService } from '../../../platform/redis/redis.service';

const ATTEMPTS = 30;
const WINDOW_SECONDS = 15 * 60;

/**
 * Limits each user to 30 attempts at servers in 15 minutes, over all processes: enough to connect mailboxes, too few to
 * guess passwords or to scan networks.
 */
@Injectable()
export class ConnectAttempts {
  private readonly limiter: RateLimiterRedis;

  constructor(redis: RedisService) {
    this.limiter = new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: redis.key('imap-connects'),
      points: ATTEMPTS,
      duration: WINDOW_SECONDS,
    });
  }

  /** @throws TooManyRequests */
  async count(userId: string): Promise<void> {
    try {
      await this.limiter.consume(userId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new TooManyRequests(
        refusal.msBeforeNext,
        'Too many attempts to connect a mailbox; wait a while.',
      );
    }
  }
}
