import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { LeaseWorker, usersAtLimit } from '../database/lease-worker';
import { Ticker } from '../concurrency/ticker';
import { BullQueues } from '../redis/bull-queues';
import { AppConfig } from '../config/app-config';
import { JobCompletion } from './job-completion';
import { JobLeasesRepository } from './job-leases.repository';
import { JobMetrics } from './job-metrics';
import { ALL_JOB_QUEUES, JOB_QUEUES, JobQueue, slotsPerUser } from './job-queue';
import type { ClaimedJob } from './job-record';
import { JobRunner } from './job-runner';
import { JobTimings } from './job-timings';
import { JobUpdates } from './job-updates';
import { RunningJobs } from './running-jobs';

/**
 * The worker side of a process: a `LeaseWorker` for each queue, and the reconciler that finds jobs that were lost with
 * another process, and wake-ups that were lost with Redis. It is idle in a process that only serves the API.
 */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly workers: ReadonlyMap<string, LeaseWorker<ClaimedJob>>;
  private readonly reconciler: Ticker;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly config: AppConfig,
    private readonly leases: JobLeasesRepository,
    private readonly completion: JobCompletion,
    private readonly running: RunningJobs,
    private readonly queues: BullQueues,
    private readonly updates: JobUpdates,
    private readonly metrics: JobMetrics,
    private readonly timings: JobTimings,
    private readonly runner: JobRunner,
  ) {
    this.workers = new Map(ALL_JOB_QUEUES.map((queue) => [queue, this.workerOf(queue)]));
    this.reconciler = new Ticker(timings.reconcileMs, () => this.reconcile(), this.logger);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.runsJobs) return;
    this.stopListening = await this.updates.listenToCancellations((id) => this.running.cancel(id));
    for (const worker of this.workers.values()) worker.start();
    this.reconciler.start();
    // Jobs of a dead process need not wait for the first tick.
    this.reconcile().catch((error: unknown) => this.logger.error(error));
  }

  /** Looks for jobs after a wake-up of the queue, once the whole service has started. */
  work(queue: JobQueue): Promise<void> {
    return this.workers.get(queue)!.work();
  }

  /** Lets handlers finish their batch, and hands their jobs over to other processes. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.config.runsJobs) return;
    const workers = [...this.workers.values()];
    for (const worker of workers) worker.stopClaiming();
    await Promise.all([this.reconciler.stop(), this.queues.stopConsuming()]);
    await Promise.all(workers.map((worker) => worker.stop({ abortMs: this.timings.shutdownMs })));
    const left = this.running.ids;
    if (left.length > 0) {
      this.logger.warn(`Stopping in the middle of ${left.join(', ')}: another process will take over`);
    }
    this.running.stop();
    this.stopListening?.();
  }

  private workerOf(queue: JobQueue): LeaseWorker<ClaimedJob> {
    return new LeaseWorker({
      slots: JOB_QUEUES[queue].concurrency,
      // Claims one job at a time, since the next one depends on what is running.
      claim: async (_free, running) => {
        const busy = usersAtLimit(
          slotsPerUser(queue),
          running.map(({ record }) => record.userId),
        );
        const job = await this.leases.claimNext(queue, busy, this.timings.leaseMs);
        return job ? [job] : [];
      },
      run: (job, signal) => this.runner.run(job, signal),
      logger: this.logger,
    });
  }

  /** Recovers lost jobs and wakes the workers that have something to do. Several processes may do so at the same time. */
  private async reconcile(): Promise<void> {
    for (const job of await this.completion.recoverLost()) {
      this.logger.warn(`${job.jobId} was lost with its process and is now ${job.status}`);
      this.updates.publish(job);
      if (job.completedAt) this.metrics.recordEnd(job);
    }
    for (const queue of await this.leases.findRunnableQueues()) this.workers.get(queue)?.wake();
  }
}
