import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AppConfig } from '../../../config/app-config';
import type { Lane } from '../job-definition';
import { JobEvents } from '../news/job-events';
import { JobMetrics } from '../news/job-metrics';
import { JobQueues } from '../starting/job-queues';
import { JobTimings } from '../job-timings';
import { ALL_LANES, LANES } from '../starting/lanes';
import { JobEnds } from './job-ends';
import { JobLeasesRepository } from './job-leases.repository';
import { JobRunner } from './job-runner';
import { LaneWorker } from './lane-worker';
import { RunningJobs } from './running-jobs';
import { Ticker } from './ticker';

/**
 * The worker side of a process: lanes, heartbeat, and the reconciler that finds what was lost with another process
 * or with the queue. Idle in a process that only serves the API.
 */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly lanes: ReadonlyMap<Lane, LaneWorker>;
  private readonly heartbeat: Ticker;
  private readonly reconciler: Ticker;
  private readonly working = new Set<Promise<void>>();
  private stopListening: (() => void) | undefined;
  private stopping = false;

  constructor(
    private readonly config: AppConfig,
    private readonly leases: JobLeasesRepository,
    private readonly ends: JobEnds,
    private readonly running: RunningJobs,
    private readonly queues: JobQueues,
    private readonly events: JobEvents,
    private readonly metrics: JobMetrics,
    private readonly timings: JobTimings,
    runner: JobRunner,
  ) {
    const ports = {
      claim: (lane: Lane) => this.leases.claimNext(lane, timings.leaseMs),
      run: (job: Parameters<JobRunner['run']>[0]) => runner.run(job, this.stopping),
    };
    this.lanes = new Map(
      ALL_LANES.map((lane) => [lane, new LaneWorker(lane, LANES[lane].concurrency, ports)]),
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

  private async work(lane: Lane): Promise<void> {
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
