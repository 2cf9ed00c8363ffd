import { Module } from '@nestjs/common';
import { ResultCache } from './result-cache';

@Module({ providers: [ResultCache], exports: [ResultCache] })
export class ResultCacheModule {}
