import { Global, Module } from '@nestjs/common';
import { LiveNews } from './live-news';
import { RedisService } from './redis.service';

@Global()
@Module({ providers: [RedisService, LiveNews], exports: [RedisService, LiveNews] })
export class RedisModule {}
