import { Injectable, Logger } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { describeError } from '../logging/describe-error';
import { polledGauge, counter, histogram } from '../logging/metrics';
import type { JobRecord } from './job-record';
import { JobsRepository } from './jobs.repository';
import { ALL_JOB_QUEUES } from './job-queue';

/** Scrapes ask for both gauges at once; one query answers both. */
const SHARED_MS = 1_000;

type Depths = Awaited<ReturnType<JobsRepository['countQueueDepths']>>;

/** Queue depth and age, outcomes and durations, for Prometheus. */
@Injectable()
export class JobMetrics {
  private readonly logger = new Logger(JobMetrics.name);
  private readonly outcomes: Counter<'kind' | 'status'>;
  private readonly durations: Histogram<'kind'>;
  private shared: { readonly at: number; readonly depths: Promise<Depths> } | undefined;

  constructor(private readonly repository: JobsRepository) {
    this.outcomes = counter({
      name: 'mailroom_jobs_finished_total',
      help: 'Jobs that ended, by kind and status',
      labelNames: ['kind', 'status'],
    });
    this.durations = histogram({
      name: 'mailroom_job_duration_seconds',
      help: 'Seconds from the start of the first attempt to the end of a job',
      labelNames: ['kind'],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200],
    });
    this.registerGauge(
      'mailroom_job_queue_depth',
      'Jobs waiting for a worker, by lane',
      (waiting) => waiting.depth,
    );
    this.registerGauge(
      'mailroom_job_queue_age_seconds',
      'Age of the oldest waiting job, by lane',
      (waiting) => waiting.ageSeconds,
    );
  }

  /** Counts a job that has ended. */
  recordEnd(job: JobRecord): void {
    this.outcomes.inc({ kind: job.type, status: job.status });
    if (!job.startedAt || !job.completedAt) return;
    const seconds = (Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1000;
    this.durations.observe({ kind: job.type }, seconds);
  }

  private registerGauge(name: string, help: string, valueOf: (waiting: Depths[number]) => number): void {
    polledGauge<'lane'>(
      { name, help, labelNames: ['lane'] },
      async () => {
        const depths = await this.readDepths();
        return (gauge) => {
          for (const queue of ALL_JOB_QUEUES) {
            const waiting = depths.find((depth) => depth.queue === (queue as string));
            gauge.set({ lane: queue }, waiting ? valueOf(waiting) : 0);
          }
        };
      },
      (error) => this.logger.warn(`Queue depths are unknown: ${describeError(error).message}`),
    );
  }

  private readDepths(): Promise<Depths> {
    const now = performance.now();
    if (!this.shared || now - this.shared.at > SHARED_MS) {
      this.shared = { at: now, depths: this.repository.countQueueDepths() };
    }
    return this.shared.depths;
  }
}
