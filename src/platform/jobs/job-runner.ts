import { Injectable, Logger } from '@nestjs/common';
import { BackgroundPace } from '../concurrency/background-pace';
import { SecretBox } from '../crypto/secret-box';
import { describeError } from '../logging/describe-error';
import { withLogContext } from '../logging/log-context';
import { BullQueues } from '../redis/bull-queues';
import { JobUpdates } from './job-updates';
import { describeFailure } from './jobs.errors';
import { JobMetrics } from './job-metrics';
import { validatePayload } from './job-payload';
import type { ClaimedJob, JobRecord } from './job-record';
import { JobRegistry } from './job-registry';
import { JobTimings } from './job-timings';
import { JobCompletion } from './job-completion';
import { JobLeasesRepository, JobOutcome } from './job-leases.repository';
import { RunningJob } from './running-job';
import { RunningJobs } from './running-jobs';
import { delay } from '../concurrency/timers';

/** Attempts to notify the owner of an end in the transaction that writes it; after them the end is written alone. */
const NOTIFY_ATTEMPTS = 10;

type Outcome = Omit<JobOutcome, 'counts'>;

/** A job that has to wait until a time. It fails with `outcome` when it has been postponed too often. */
class Postponement {
  constructor(
    readonly until: Date,
    readonly outcome: Outcome,
  ) {}
}

/**
 * Runs one claimed job from its payload or checkpoint to its end, or until it is interrupted. It has ten dependencies because
 * running a job involves its lease, secrets, pace, metrics and end.
 */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger(JobRunner.name);

  constructor(
    private readonly registry: JobRegistry,
    private readonly leases: JobLeasesRepository,
    private readonly completion: JobCompletion,
    private readonly running: RunningJobs,
    private readonly updates: JobUpdates,
    private readonly queues: BullQueues,
    private readonly metrics: JobMetrics,
    private readonly secretBox: SecretBox,
    private readonly timings: JobTimings,
    private readonly pace: BackgroundPace,
  ) {}

  /**
   * Never throws: when the process loses its lease before the outcome is written, the job is picked up again.
   * @param stopping aborted when the process ends: the job stops at the end of its batch and goes on in another process
   */
  async run(claimed: ClaimedJob, stopping: AbortSignal): Promise<void> {
    const { record } = claimed;
    const context = { jobId: record.jobId, userId: record.userId, accountId: record.accountId ?? undefined };
    await withLogContext(context, async () => {
      const job = new RunningJob(claimed, {
        leases: this.leases,
        updates: this.updates,
        secretBox: this.secretBox,
        timings: this.timings,
      });
      this.running.add(job);
      const stop = (): void => job.interrupt('shutdown');
      if (stopping.aborted) stop();
      stopping.addEventListener('abort', stop, { once: true });
      try {
        this.updates.publish(record);
        await this.recordOutcome(job, await this.pace.run(() => this.attempt(job)));
      } catch (error) {
        this.logger.error(error);
      } finally {
        this.running.remove(job);
      }
    });
  }

  /** Runs the handler. @returns null when the attempt was interrupted and another one has to continue the job */
  private async attempt(job: RunningJob): Promise<Outcome | Postponement | null> {
    try {
      const result = await this.handle(job);
      return { status: 'completed', result: job.resultOf(result ?? {}), error: null, errorCode: null };
    } catch (error) {
      // Any error after the signal has fired is a consequence of stopping.
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
      const outcome: Outcome = {
        status: 'failed',
        result: job.partialResult(),
        error: failure.error,
        errorCode: failure.errorCode,
      };
      if (failure.retryAt) return new Postponement(failure.retryAt, outcome);
      if (failure.unexpected) this.logger.error(error);
      else this.logger.log(`Failed: ${failure.errorCode}`);
      return outcome;
    } finally {
      await job.close();
    }
  }

  private async handle(job: RunningJob): Promise<Readonly<Record<string, unknown>> | void> {
    const registered = this.registry.find(job.type);
    if (!registered) throw new Error(`No handler for jobs of kind ${job.type}`);
    const payload = await validatePayload(registered.definition, job.payload);
    job.throwIfCancelled();
    return registered.handler.run(payload, job);
  }

  private async recordOutcome(job: RunningJob, ended: Outcome | Postponement | null): Promise<void> {
    if (job.interruption === 'lease-lost') {
      this.logger.warn('Left the job to another attempt');
      return;
    }
    if (ended instanceof Postponement && (await this.postpone(job, ended))) return;
    const outcome = ended instanceof Postponement ? ended.outcome : ended;
    if (!outcome) {
      const released = await this.leases.release(job.lease);
      if (released) {
        this.updates.publish(released);
        this.queues.wake(released.lane);
        return;
      }
    }
    // Cancelled during the shutdown: no other process continues it.
    const final = outcome ?? {
      status: 'cancelled',
      result: job.partialResult(),
      error: null,
      errorCode: null,
    };
    const finished = await this.end(job, { ...final, counts: job.counts });
    if (!finished) {
      this.logger.warn('Lost the job to another process before its end was written');
      return;
    }
    this.updates.publish(finished);
    this.metrics.recordEnd(finished);
  }

  /** @returns false when the job cannot wait any more: it was postponed too often, cancelled, or lost */
  private async postpone(job: RunningJob, { until, outcome }: Postponement): Promise<boolean> {
    const { shortestWaitMs, longestWaitMs } = this.timings;
    const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, until.getTime() - Date.now()));
    const reason = { code: outcome.errorCode, until };
    const postponed = await this.leases.postpone(job.lease, waitMs, reason);
    if (!postponed) return false;
    this.logger.log(`Waiting ${Math.round(waitMs / 1000)} s: ${outcome.errorCode}`);
    this.updates.publish(postponed);
    return true;
  }

  /**
   * Writes the end, and tries again while the lease is held and the failure is temporary: a table that is locked for a
   * while must not cause finished work to be done again.
   * @returns null when the lease is lost
   */
  private async end(job: RunningJob, outcome: JobOutcome): Promise<JobRecord | null> {
    job.markEnding();
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.completion.finish(job.userId, job.lease, outcome, {
          mustNotify: tries < NOTIFY_ATTEMPTS,
        });
      } catch (error) {
        if (!describeFailure(error).transient || !(await this.renewLease(job))) throw error;
        this.logger.warn(`Could not write the end of the job yet: ${describeError(error).message}`);
        await delay(this.timings.endAgainMs, undefined, { ref: false });
      }
    }
  }

  /** Renews the lease. @returns whether the job still belongs to this process */
  private async renewLease(job: RunningJob): Promise<boolean> {
    const { lease } = job;
    const askedAt = performance.now();
    try {
      const [state] = await this.leases.renew([lease], this.timings.leaseMs);
      if (state?.renewed) job.onRenewed(state, askedAt);
      return state !== undefined;
    } catch {
      return !job.leaseExpired;
    }
  }
}
