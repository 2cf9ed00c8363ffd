import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/logging/describe-error';
import { JobTimings } from './job-timings';
import type { Interruption } from './jobs.errors';
import { JobLeasesRepository } from './job-leases.repository';
import type { RunningJob } from './running-job';

/** Heartbeats that may wait for their answer at once: one that hangs keeps a connection of the pool for minutes. */
const MAX_UNANSWERED = 4;
/** How often expired leases are looked for, in parts of the lease: nobody should notice before this process does. */
const LOOKS_PER_LEASE = 15;

/** The jobs this process is running right now, and their heartbeat. */
@Injectable()
export class RunningJobs {
  private readonly logger = new Logger(RunningJobs.name);
  private readonly jobs = new Map<string, RunningJob>();
  private unanswered = 0;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: JobLeasesRepository,
    private readonly timings: JobTimings,
  ) {}

  /** An earlier attempt at the same job must have lost its lease, or nobody could have claimed it: it is stopped. */
  add(job: RunningJob): void {
    this.jobs.get(job.lease.id)?.interrupt('lease-lost');
    this.jobs.set(job.lease.id, job);
    // Of its own, not of a heartbeat: leases run out whether or not one gets through.
    this.watchdog ??= setInterval(
      () => this.interruptExpired(),
      this.timings.leaseMs / LOOKS_PER_LEASE,
    ).unref();
  }

  remove(job: RunningJob): void {
    // A job that was lost and claimed again by this process is another attempt under the same id.
    if (this.jobs.get(job.lease.id) === job) this.jobs.delete(job.lease.id);
    if (this.jobs.size > 0) return;
    clearInterval(this.watchdog);
    this.watchdog = undefined;
  }

  cancel(id: string): void {
    this.jobs.get(id)?.interrupt('cancelled');
  }

  interruptAll(interruption: Interruption): void {
    for (const job of this.jobs.values()) job.interrupt(interruption);
  }

  get ids(): readonly string[] {
    return [...this.jobs.values()].map((job) => job.jobId);
  }

  /**
   * Renews all leases in one statement; jobs taken over by others, or cancelled, are stopped. A connection that hangs
   * answers nothing for minutes: it is asked again over another, several times before a lease has run out.
   */
  async beat(): Promise<void> {
    for (let jobs = this.held(); jobs.length > 0; jobs = this.held()) {
      if (this.unanswered >= MAX_UNANSWERED) {
        this.logger.warn(`No heartbeat: ${this.unanswered} are waiting for their answer`);
        return;
      }
      if (await settlesWithin(this.renew(jobs), this.timings.heartbeatMs / 2)) return;
    }
  }

  /** Never throws. An answer counts however late it is: a lease that is gone stays gone, one that is held is dated. */
  private async renew(jobs: readonly RunningJob[]): Promise<void> {
    const askedAt = performance.now();
    this.unanswered += 1;
    try {
      const held = await this.leases.renew(
        jobs.map((job) => job.lease),
        this.timings.leaseMs,
      );
      for (const job of jobs) {
        const status = held.get(job.lease.id);
        if (status) job.renewed(status, askedAt);
        else job.interrupt('lease-lost');
      }
    } catch (error) {
      this.logger.warn(`Heartbeat failed: ${describeError(error).message}`);
    } finally {
      this.unanswered -= 1;
    }
  }

  /** Somebody else may be running them by now. */
  private interruptExpired(): void {
    for (const job of this.held()) if (job.leaseExpired) job.interrupt('lease-lost');
  }

  /** The row of one that is ending may be locked for seconds, and all others would wait for it until they are lost. */
  private held(): readonly RunningJob[] {
    return [...this.jobs.values()].filter((job) => !job.isEnding);
  }
}

async function settlesWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), limitMs)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
