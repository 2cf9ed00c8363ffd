import { Process, Processor } from '@nestjs/bull';
import type { Type } from '@nestjs/common';
import { ALL_JOB_QUEUES, JOB_QUEUES } from './job-queue';
import { JobWorkers } from './job-workers';

/** A processor for each queue, called for every wake-up of it. */
export const JOB_PROCESSORS: readonly Type[] = ALL_JOB_QUEUES.map((queue) => {
  @Processor(queue)
  class JobProcessor {
    constructor(private readonly workers: JobWorkers) {}

    /** Pending while this process is busy, so that further wake-ups go to others. */
    @Process({ concurrency: JOB_QUEUES[queue].concurrency })
    work(): Promise<void> {
      return this.workers.work(queue);
    }
  }
  return JobProcessor;
});
