import { Global, Module } from '@nestjs/common';
import { BackgroundPace } from '../concurrency/background-pace';
import { WorkerPool } from './worker-pool';

@Global()
@Module({ providers: [WorkerPool, BackgroundPace], exports: [WorkerPool, BackgroundPace] })
export class WorkersModule {}
