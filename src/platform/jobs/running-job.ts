import { Logger } from '@nestjs/common';
import type { LeaseHolder } from '../database/lease-heartbeat';
import { Throttle } from '../concurrency/throttle';
import type { SecretBox } from '../crypto/secret-box';
import type { Lease } from '../database/leased-rows';
import type { Transaction } from '../database/transactions';
import type { JobContext, ProgressDelta } from './job-definition';
import type { JobUpdates } from './job-updates';
import { JobCounts, ProgressCounter } from './job-progress';
import type { ClaimedJob, JobRecord } from './job-record';
import type { JobTimings } from './job-timings';
import { Interruption, JobInterrupted } from './jobs.errors';
import type { JobLeasesRepository, JobState, RowState } from './job-leases.repository';

export interface RunningJobServices {
  readonly leases: JobLeasesRepository;
  readonly updates: JobUpdates;
  readonly secretBox: SecretBox;
  readonly timings: JobTimings;
}

/** One attempt at a job in this process: the context for its handler, and the runner's hold on it. */
export class RunningJob implements JobContext, LeaseHolder<JobState> {
  readonly jobId: string;
  readonly userId: string;
  readonly accountId: string | null;
  readonly attempt: number;
  readonly logger: Logger;
  readonly lease: Lease;

  private readonly abortion = new AbortController();
  private readonly counter: ProgressCounter;
  private readonly publishing: Throttle;
  private readonly rowWriting: Throttle;
  private savedFailures: number;
  private rowState: RowState;
  private leaseRenewedAt = performance.now();
  /** Writes to the row happen one after another, so that an older count never replaces a newer one. */
  private writes: Promise<unknown> = Promise.resolve();
  private closed = false;
  private ending = false;
  private reported: Readonly<Record<string, unknown>> = {};

  constructor(
    private readonly job: ClaimedJob,
    private readonly services: RunningJobServices,
  ) {
    const { record, checkpoint } = job;
    this.jobId = record.jobId;
    this.userId = record.userId;
    this.accountId = record.accountId;
    this.attempt = job.attempt;
    this.lease = { id: record.id, token: job.leaseToken };
    this.logger = new Logger(`Job ${record.type}`);
    this.rowState = { status: record.status, updatedAt: record.updatedAt };
    this.counter = new ProgressCounter(
      checkpoint ?? { total: record.total, processed: 0, failed: 0 },
      checkpoint ? job.failures : [],
    );
    this.savedFailures = this.counter.failures.length;
    this.publishing = new Throttle(services.timings.publishMs, () =>
      services.updates.publish(this.snapshot()),
    );
    this.rowWriting = new Throttle(services.timings.progressWriteMs, () => this.writeProgress());
  }

  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  get type(): string {
    return this.job.record.type;
  }

  get payload(): Record<string, unknown> {
    return this.job.payload;
  }

  get counts(): JobCounts {
    return this.counter.counts;
  }

  /** Why the job has to stop, if it has to. */
  get interruption(): Interruption | null {
    return this.signal.aborted ? (this.signal.reason as JobInterrupted).interruption : null;
  }

  setTotal(total: number): void {
    this.counter.setTotal(total);
    this.requestUpdates();
  }

  progress(delta: ProgressDelta): void {
    this.counter.add(delta.processed ?? 0);
    this.requestUpdates();
  }

  fail(item: string, code: string, reason?: string): void {
    this.counter.fail(item, code, reason);
    this.requestUpdates();
  }

  report(result: Readonly<Record<string, unknown>>): void {
    this.reported = result;
  }

  savedCheckpoint<S>(): S | undefined {
    return this.job.checkpoint?.state as S | undefined;
  }

  async checkpoint(state: object): Promise<void> {
    const newFailures = this.counter.failures.slice(this.savedFailures);
    const checkpoint = { state: state as Record<string, unknown>, ...this.counter.counts };
    this.rowWriting.cancel();
    await this.write(() =>
      this.services.leases.saveCheckpoint(this.lease, checkpoint, newFailures, this.services.timings.leaseMs),
    );
    this.savedFailures += newFailures.length;
    // This check follows the write: finished work stays recorded, whether or not the job goes on here.
    this.throwIfCancelled();
  }

  throwIfCancelled(): void {
    this.signal.throwIfAborted();
  }

  assertLeased(): void {
    if (this.leaseExpired) this.onLeaseLost();
    this.signal.throwIfAborted();
  }

  requireHeld(transaction: Transaction): Promise<void> {
    return this.services.leases.requireHeld(this.lease, transaction);
  }

  secrets<S extends object>(): S {
    const { sealedSecrets, record } = this.job;
    if (!sealedSecrets) throw new Error(`${this.jobId} was started without secrets`);
    return this.services.secretBox.open<S>(sealedSecrets, record.id);
  }

  /** Makes the handler stop at the end of its batch; the first reason stands. */
  interrupt(interruption: Interruption): void {
    this.abortion.abort(new JobInterrupted(interruption));
  }

  onRenewed({ status }: JobState, askedAt: number): void {
    this.leaseRenewedAt = Math.max(this.leaseRenewedAt, askedAt);
    if (status === 'cancelled') this.interrupt('cancelled');
  }

  onLeaseLost(): void {
    this.interrupt('lease-lost');
  }

  get leaseExpired(): boolean {
    return performance.now() - this.leaseRenewedAt > this.services.timings.leaseMs;
  }

  /** Its end is being written, in a transaction that may have to wait; the runner renews the lease in between. */
  get isEnding(): boolean {
    return this.ending;
  }

  markEnding(): void {
    this.ending = true;
  }

  /** The job's result: the handler's facts and the items that failed. */
  resultOf(handlerResult: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return {
      ...handlerResult,
      failures: this.counter.failures,
      ...(this.counter.failuresTruncated ? { failuresTruncated: true } : {}),
    };
  }

  /** The result of a job that failed or was cancelled. */
  partialResult(): Record<string, unknown> {
    return this.resultOf(this.reported);
  }

  /** Ends reporting; resolves when the last write to the row is done. */
  async close(): Promise<void> {
    this.closed = true;
    this.publishing.cancel();
    this.rowWriting.cancel();
    await this.writes;
  }

  private requestUpdates(): void {
    if (this.closed) return;
    this.publishing.request();
    this.rowWriting.request();
  }

  private snapshot(): JobRecord {
    return { ...this.job.record, ...this.counter.counts, ...this.rowState };
  }

  private writeProgress(): void {
    this.write(() => this.services.leases.saveProgress(this.lease, this.counter.counts)).catch(
      (error: unknown) =>
        this.logger.warn(`Could not write progress, the next write will include it: ${String(error)}`),
    );
  }

  private async write(save: () => Promise<RowState | null>): Promise<void> {
    const writing = this.writes.then(save);
    this.writes = writing.catch(() => null);
    const state = await writing;
    if (!state) {
      this.onLeaseLost();
      return;
    }
    this.rowState = state;
    if (state.status === 'cancelled') this.interrupt('cancelled');
  }
}
