import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { BullQueues } from './bull-queues';
import { RedisBroadcast } from './redis-broadcast';
import { RedisLock } from './redis-lock';
import { RedisService } from './redis.service';
import { ResultCache } from './result-cache';

const SERVICES = [RedisService, RedisBroadcast, RedisLock, BullQueues, ResultCache];

@Global()
@Module({
  // Only what finds processors; the queues are made by `BullQueues`.
  imports: [BullModule.registerQueue()],
  providers: SERVICES,
  exports: SERVICES,
})
export class RedisModule {}
