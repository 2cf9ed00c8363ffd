import type { Transaction } from '../database/transactions';
import type { JobContext, ProgressDelta } from './job-definition';

/** State of a batch under way that survives the process. */
export interface BatchProgress {
  /** State of whatever acts on the batch; null before it has stored any. */
  inner: object | null;
  /** Messages that could not be done. */
  failed: string[];
}

/**
 * The context for code that acts on one batch of a run. To that code it is a whole job; its checkpoints become part of
 * the run's.
 */
export class BatchContext implements JobContext {
  constructor(
    private readonly job: JobContext,
    private readonly batch: BatchProgress,
    private readonly save: () => Promise<void>,
    private readonly reported: (result: Readonly<Record<string, unknown>>) => void,
  ) {}

  get jobId(): string {
    return this.job.jobId;
  }

  get userId(): string {
    return this.job.userId;
  }

  get accountId(): string | null {
    return this.job.accountId;
  }

  get attempt(): number {
    return this.job.attempt;
  }

  get signal(): AbortSignal {
    return this.job.signal;
  }

  get lease(): JobContext['lease'] {
    return this.job.lease;
  }

  get logger(): JobContext['logger'] {
    return this.job.logger;
  }

  /** The run knows its total better. */
  setTotal(): void {}

  progress(delta: ProgressDelta): void {
    this.job.progress(delta);
  }

  fail(item: string, code: string, reason?: string): void {
    this.batch.failed.push(item);
    this.job.fail(item, code, reason);
  }

  /** The run reports for all its batches, with what one that breaks off leaves. */
  report(result: Readonly<Record<string, unknown>>): void {
    this.reported(result);
  }

  savedCheckpoint<S>(): S | undefined {
    return (this.batch.inner ?? undefined) as S | undefined;
  }

  async checkpoint(state: object): Promise<void> {
    this.batch.inner = state;
    await this.save();
  }

  throwIfCancelled(): void {
    this.job.throwIfCancelled();
  }

  assertLeased(): void {
    this.job.assertLeased();
  }

  requireHeld(transaction: Transaction): Promise<void> {
    return this.job.requireHeld(transaction);
  }

  secrets<S extends object>(): S {
    return this.job.secrets<S>();
  }
}

/** Reads a number of a reported result; 0 when the result does not have it. */
export const countIn = (result: Readonly<Record<string, unknown>>, name: string): number =>
  typeof result[name] === 'number' ? result[name] : 0;
