import { Global, Module } from '@nestjs/common';
import { RedisBroadcast } from './redis-broadcast';
import { RedisLock } from './redis-lock';
import { RedisService } from './redis.service';
import { ResultCache } from './result-cache';

@Global()
@Module({
  providers: [RedisService, RedisBroadcast, RedisLock, ResultCache],
  exports: [RedisService, RedisBroadcast, RedisLock, ResultCache],
})
export class RedisModule {}
