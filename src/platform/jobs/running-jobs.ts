import { Injectable, Logger } from '@nestjs/common';
import { LeaseHeartbeat } from '../database/lease-heartbeat';
import { JobLeasesRepository, JobState } from './job-leases.repository';
import { JobTimings } from './job-timings';
import type { RunningJob } from './running-job';

/** The jobs this process is running right now, and their heartbeat. */
@Injectable()
export class RunningJobs {
  private readonly heartbeat: LeaseHeartbeat<JobState, RunningJob>;

  constructor(leases: JobLeasesRepository, { leaseMs, heartbeatMs }: JobTimings) {
    this.heartbeat = new LeaseHeartbeat({
      leaseMs,
      everyMs: heartbeatMs,
      renew: (held) => leases.renew(held, leaseMs),
      logger: new Logger(RunningJobs.name),
    });
  }

  get ids(): readonly string[] {
    return this.heartbeat.held.map(({ jobId }) => jobId);
  }

  add(job: RunningJob): void {
    this.heartbeat.add(job);
  }

  remove(job: RunningJob): void {
    this.heartbeat.remove(job);
  }

  cancel(id: string): void {
    for (const job of this.heartbeat.held) if (job.lease.id === id) job.interrupt('cancelled');
  }

  /** Leaves what still runs to other processes, which take it over when its leases have run out. */
  stop(): void {
    this.heartbeat.stop();
  }
}
