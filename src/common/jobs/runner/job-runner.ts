import { Injectable, Logger } from '@nestjs/common';
import { SecretBox } from '../../crypto/secret-box';
import { withLogContext } from '../../logging/log-context';
import { JobEvents } from '../job-events';
import { describeFailure } from './job-failure';
import { JobMetrics } from '../job-metrics';
import { validatedPayload } from '../job-payload';
import { JobQueues } from '../job-queues';
import type { ClaimedJob } from '../records/job-record';
import { JobRegistry } from './job-registry';
import { JobTimings } from '../job-timings';
import { JobEnds } from './job-ends';
import { JobLeasesRepository, JobOutcome } from './job-leases.repository';
import { RunningJob } from './running-job';
import { RunningJobs } from './running-jobs';

/** Runs one claimed job from its payload or checkpoint to its end, or as far as it gets. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger(JobRunner.name);

  constructor(
    private readonly registry: JobRegistry,
    private readonly leases: JobLeasesRepository,
    private readonly ends: JobEnds,
    private readonly running: RunningJobs,
    private readonly events: JobEvents,
    private readonly queues: JobQueues,
    private readonly metrics: JobMetrics,
    private readonly secretBox: SecretBox,
    private readonly timings: JobTimings,
  ) {}

  /** Never throws: when the outcome cannot be written, the lease runs out and the job is picked up again. */
  async run(claimed: ClaimedJob, stopping: boolean): Promise<void> {
    const { record } = claimed;
    const context = { jobId: record.jobId, userId: record.userId, accountId: record.accountId ?? undefined };
    await withLogContext(context, async () => {
      const job = new RunningJob(claimed, {
        leases: this.leases,
        events: this.events,
        secretBox: this.secretBox,
        timings: this.timings,
      });
      this.running.add(job);
      if (stopping) job.interrupt('shutdown');
      try {
        this.events.publish(record);
        await this.settle(job, await this.attempt(job));
      } catch (error) {
        this.logger.error(error);
      } finally {
        this.running.remove(job);
      }
    });
  }

  /** null when the attempt was interrupted and the job has to go on elsewhere. */
  private async attempt(job: RunningJob): Promise<Omit<JobOutcome, 'counts'> | null> {
    try {
      const result = await this.handle(job);
      return { status: 'completed', result: job.resultWith(result ?? {}), error: null, errorCode: null };
    } catch (error) {
      // Whatever was thrown once the signal has fired is a consequence of stopping.
      if (job.interruption === 'cancelled') {
        return { status: 'cancelled', result: job.partialResult(), error: null, errorCode: null };
      }
      if (job.interruption) return null;
      const failure = describeFailure(error);
      if (failure.transient) {
        // The lease runs out, and the next attempt finds the service back or is lost as well.
        this.logger.warn(`Attempt ${job.attempt} lost: ${String(error)}`);
        job.interrupt('lease-lost');
        return null;
      }
      if (failure.unexpected) this.logger.error(error);
      else this.logger.log(`Failed: ${failure.errorCode}`);
      return {
        status: 'failed',
        result: job.partialResult(),
        error: failure.error,
        errorCode: failure.errorCode,
      };
    } finally {
      await job.close();
    }
  }

  private async handle(job: RunningJob): Promise<Readonly<Record<string, unknown>> | void> {
    const registered = this.registry.find(job.type);
    if (!registered) throw new Error(`No handler for jobs of kind ${job.type}`);
    const payload = await validatedPayload(registered.definition, job.payload);
    job.throwIfCancelled();
    return registered.handler.run(payload, job);
  }

  private async settle(job: RunningJob, outcome: Omit<JobOutcome, 'counts'> | null): Promise<void> {
    if (job.interruption === 'lease-lost') {
      this.logger.warn('Left the job to another attempt');
      return;
    }
    if (!outcome) {
      const released = await this.leases.release(job.lease);
      if (released) {
        this.events.publish(released);
        this.queues.wake(released.lane);
        return;
      }
    }
    // A shutdown that met a cancellation: nothing is left to go on with.
    const final = outcome ?? {
      status: 'cancelled',
      result: job.partialResult(),
      error: null,
      errorCode: null,
    };
    const finished = await this.ends.finish(job.userId, job.lease, { ...final, counts: job.counts });
    if (!finished) {
      this.logger.warn('Lost the job to another process before its end was written');
      return;
    }
    this.events.publish(finished);
    this.metrics.finished(finished);
  }
}
