import { Module } from '@nestjs/common';
import { OffloadPlansRepository } from './plans/offload-plans.repository';
import { RunningOffloads } from './plans/running-offloads';

/** Answers whether messages are being moved. It is separate from OffloadModule, which would move them. */
@Module({
  providers: [OffloadPlansRepository, RunningOffloads],
  exports: [RunningOffloads],
})
export class RunningOffloadsModule {}
