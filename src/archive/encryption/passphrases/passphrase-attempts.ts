import { Injectable } from '@nestjs/common';
import { FailedAttempts } from '../../../common/rate-limit/failed-attempts';
import { RedisService } from '../../../common/redis/redis.service';

/** Wrong passphrases per user. */
@Injectable()
export class PassphraseAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'passphrase-failures', 'Too many wrong passphrases; wait a few minutes.');
  }
}
