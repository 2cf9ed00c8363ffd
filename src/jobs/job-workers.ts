import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Ticker } from '../common/concurrency/ticker';
import { AppConfig } from '../config/app-config';
import { BullJobQueues } from './bull-job-queues';
import { JobCompletion } from './job-completion';
import type { JobQueue } from './job-queue';
import { JobLeasesRepository } from './job-leases.repository';
import { JobMetrics } from './job-metrics';
import { ALL_JOB_QUEUES, JOB_QUEUES } from './job-queue';
import type { ClaimedJob } from './job-record';
import { JobRunner } from './job-runner';
import { JobTimings } from './job-timings';
import { JobUpdates } from './job-updates';
import { RunningJobs } from './running-jobs';

export interface QueueWorkerPorts {
  claim(lane: JobQueue): Promise<ClaimedJob | null>;
  run(job: ClaimedJob): Promise<void>;
}

/** This process's share of a lane: claims and runs jobs, at most `concurrency` at a time. */
export class QueueWorker {
  private busy = 0;
  private wokenMeanwhile = false;
  private stopped = false;

  constructor(
    private readonly lane: JobQueue,
    private readonly concurrency: number,
    private readonly ports: QueueWorkerPorts,
  ) {}

  get freeSlots(): number {
    return this.stopped ? 0 : this.concurrency - this.busy;
  }

  /** Works until nothing is runnable. Returns at once when all slots are busy: they will look again. */
  async work(): Promise<void> {
    if (this.stopped) return;
    // A claim that is already on its way may not see what this call is about.
    this.wokenMeanwhile = true;
    if (this.freeSlots <= 0) return;
    this.busy += 1;
    try {
      while (!this.stopped) {
        this.wokenMeanwhile = false;
        const job = await this.ports.claim(this.lane);
        if (job) await this.ports.run(job);
        else if (!this.wokenMeanwhile) return;
      }
    } finally {
      this.busy -= 1;
    }
  }

  /** Claims nothing more. */
  stop(): void {
    this.stopped = true;
  }
}

/**
 * The worker side of a process: lanes, heartbeat, and the reconciler that finds what was lost with another process
 * or with the queue. Idle in a process that only serves the API.
 */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly lanes: ReadonlyMap<JobQueue, QueueWorker>;
  private readonly heartbeat: Ticker;
  private readonly reconciler: Ticker;
  private readonly working = new Set<Promise<void>>();
  private stopListening: (() => void) | undefined;
  private stopping = false;

  constructor(
    private readonly config: AppConfig,
    private readonly leases: JobLeasesRepository,
    private readonly ends: JobCompletion,
    private readonly running: RunningJobs,
    private readonly queues: BullJobQueues,
    private readonly events: JobUpdates,
    private readonly metrics: JobMetrics,
    private readonly timings: JobTimings,
    runner: JobRunner,
  ) {
    const ports = {
      claim: (lane: JobQueue) => this.leases.claimNext(lane, timings.leaseMs),
      run: (job: Parameters<JobRunner['run']>[0]) => runner.run(job, this.stopping),
    };
    this.lanes = new Map(
      ALL_JOB_QUEUES.map((lane) => [lane, new QueueWorker(lane, JOB_QUEUES[lane].concurrency, ports)]),
    );
    this.heartbeat = new Ticker(timings.heartbeatMs, () => this.running.beat(), this.logger);
    this.reconciler = new Ticker(timings.reconcileMs, () => this.reconcile(), this.logger);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.runsJobs) return;
    this.stopListening = await this.events.listenToCancellations((id) => this.running.cancel(id));
    this.queues.consume((lane) => this.work(lane));
    this.heartbeat.start();
    this.reconciler.start();
    // What was left over is not worth waiting for the first round.
    this.reconcile().catch((error: unknown) => this.logger.error(error));
  }

  /** Lets handlers reach the end of their batch and hands their jobs on. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.config.runsJobs) return;
    this.stopping = true;
    for (const lane of this.lanes.values()) lane.stop();
    await Promise.all([this.reconciler.stop(), this.queues.stopConsuming()]);
    this.running.interruptAll('shutdown');
    await Promise.race([
      Promise.allSettled([...this.working]),
      delay(this.timings.shutdownMs, undefined, { ref: false }),
    ]);
    const left = this.running.ids;
    if (left.length > 0) {
      this.logger.warn(`Stopping in the middle of ${left.join(', ')}: another process takes them over`);
    }
    await this.heartbeat.stop();
    this.stopListening?.();
  }

  private async work(lane: JobQueue): Promise<void> {
    const working = this.lanes.get(lane)!.work();
    this.working.add(working);
    try {
      await working;
    } finally {
      this.working.delete(working);
    }
  }

  /** Every worker process does this; statements and claims make it harmless. */
  private async reconcile(): Promise<void> {
    for (const job of await this.ends.recoverLost()) {
      this.logger.warn(`${job.jobId} was lost with its process and is now ${job.status}`);
      this.events.publish(job);
      if (job.completedAt) this.metrics.finished(job);
    }
    for (const lane of await this.leases.runnableLanes()) {
      for (let slot = this.lanes.get(lane)?.freeSlots ?? 0; slot > 0; slot -= 1) {
        this.work(lane).catch((error: unknown) => this.logger.error(error));
      }
    }
  }
}
