import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../logging/describe-error';
import { JobTimings } from '../job-timings';
import type { Interruption } from '../jobs.errors';
import { JobLeasesRepository } from './job-leases.repository';
import type { RunningJob } from './running-job';

/** The jobs this process is running right now, and their heartbeat. */
@Injectable()
export class RunningJobs {
  private readonly logger = new Logger(RunningJobs.name);
  private readonly jobs = new Map<string, RunningJob>();

  constructor(
    private readonly leases: JobLeasesRepository,
    private readonly timings: JobTimings,
  ) {}

  add(job: RunningJob): void {
    this.jobs.set(job.lease.id, job);
  }

  remove(job: RunningJob): void {
    // A job that was lost and claimed again by this process is another attempt under the same id.
    if (this.jobs.get(job.lease.id) === job) this.jobs.delete(job.lease.id);
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

  /** Renews all leases in one statement; jobs taken over by others, or cancelled, are stopped. */
  async beat(): Promise<void> {
    // The row of one that is ending may be locked for seconds, and all others would wait for it until they are lost.
    const jobs = [...this.jobs.values()].filter((job) => !job.isEnding);
    if (jobs.length === 0) return;
    // A connection that hangs answers nothing for minutes; the leases run out all the same.
    const { leaseMs, heartbeatMs } = this.timings;
    const watchdog = setInterval(() => this.interruptExpired(jobs), leaseMs - 2 * heartbeatMs);
    try {
      const held = await this.leases.renew(
        jobs.map((job) => job.lease),
        leaseMs,
      );
      for (const job of jobs) {
        const status = held.get(job.lease.id);
        if (status) job.renewed(status);
        else job.interrupt('lease-lost');
      }
    } catch (error) {
      this.logger.warn(`Heartbeat failed: ${describeError(error).message}`);
      this.interruptExpired(jobs);
    } finally {
      clearInterval(watchdog);
    }
  }

  /** Somebody else may be running them by now. */
  private interruptExpired(jobs: readonly RunningJob[]): void {
    for (const job of jobs) if (job.leaseExpired) job.interrupt('lease-lost');
  }
}
