import { Global, Module } from '@nestjs/common';
import { RedisBroadcast } from './redis-broadcast';
import { RedisService } from './redis.service';

@Global()
@Module({ providers: [RedisService, RedisBroadcast], exports: [RedisService, RedisBroadcast] })
export class RedisModule {}
