import { Injectable } from '@nestjs/common';
import { FailedAttempts } from '../../common/rate-limit/failed-attempts';
import { RedisService } from '../../common/redis/redis.service';

/** Wrong passwords and codes of somebody who is signed in and changes how they sign in, by user. */
@Injectable()
export class TwoFactorAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'two-factor-failures', 'Too many wrong passwords or codes; wait a few minutes.');
  }
}
