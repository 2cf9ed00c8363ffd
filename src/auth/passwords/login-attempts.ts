import { Injectable } from '@nestjs/common';
import { FailedAttempts } from '../../common/rate-limit/failed-attempts';
import { RedisService } from '../../common/redis/redis.service';

/** Failed sign-ins per account. Counted by address, so addresses without an account behave alike. */
@Injectable()
export class LoginAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'login-failures', 'Too many failed sign-ins for this account; wait a few minutes.');
  }
}
