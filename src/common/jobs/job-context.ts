import type { LoggerService } from '@nestjs/common';

/** Counts since the last report; `processed` counts only what was really done. */
export interface ProgressDelta {
  readonly processed?: number;
}

/** What a running handler is given. Handlers work in batches: do, commit, checkpoint (which reports). */
export interface JobContext {
  /** `<kind>-<number>`. */
  readonly jobId: string;
  readonly userId: string;
  /** null for jobs that concern no single account. */
  readonly accountId: string | null;
  /** 1 on the first run; more when the job was picked up again after its process was lost. */
  readonly attempt: number;
  /** Aborts on cancellation, on shutdown and when another process has taken the job over. */
  readonly signal: AbortSignal;
  readonly logger: Pick<LoggerService, 'log' | 'warn' | 'error'>;

  /** Items to process; may be set more than once while it becomes known. */
  setTotal(total: number): void;
  /** Adds to `processed`. Written with the next checkpoint, shown (throttled) at once. */
  progress(delta: ProgressDelta): void;
  /** Records that an item could not be done, and why (a sentence or a stable code). Counted apart. */
  fail(item: string, reason: string): void;
  /**
   * What has been done so far: it becomes the result of a job that fails or is cancelled. Replaces what was reported
   * before; an attempt that goes on from a checkpoint reports anew.
   */
  report(result: Readonly<Record<string, unknown>>): void;
  /** State of the last checkpoint of an earlier attempt, or undefined on a fresh start. */
  savedCheckpoint<S>(): S | undefined;
  /**
   * Stores `state` with the counts and failures in one statement; the job goes on from here if its process dies.
   * @throws JobInterrupted when the job was cancelled, the process is shutting down, or the lease was lost
   */
  checkpoint(state: object): Promise<void>;
  /** Call between batches. @throws JobInterrupted */
  throwIfCancelled(): void;
  /** Opens a secret sealed by `JobsService.start(..., { secrets })`; it is erased when the job ends. */
  secrets<S extends object>(): S;
}
