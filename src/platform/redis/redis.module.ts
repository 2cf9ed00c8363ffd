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
  // Registers only the discovery of processors; `BullQueues` makes the queues.
  imports: [BullModule.registerQueue()],
  providers: SERVICES,
  exports: SERVICES,
})
export class RedisModule {}
