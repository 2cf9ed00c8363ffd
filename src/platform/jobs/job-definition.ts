import { SetMetadata, Type } from '@nestjs/common';
import type { LoggerService } from '@nestjs/common';
import type { AuditDetails, AuditTarget } from '../access/audit-trail.port';
import type { Lease } from '../database/leased-rows';
import type { Transaction } from '../database/transactions';
import type { JobQueue } from './job-queue';

export interface JobDefinition<P extends object = object> {
  /** Wire name, also the prefix of job ids; never renamed. */
  readonly kind: string;
  readonly queue: JobQueue;
  /** Validated with class-validator when a job starts and again before its handler runs. */
  readonly payload: Type<P>;
  /** Which ends the owner is notified of. */
  readonly notifies: JobNotification;
  /**
   * Goes on, and may be started, while its owner is deactivated: what the service owes its owner, such as a deletion that
   * was promised. Everything else stops with the deactivation.
   */
  readonly survivesDeactivation: boolean;
  /**
   * Whether a job that failed or was cancelled can go on from its checkpoint, days later too. Not kinds that need secrets,
   * which are erased at the end, nor those whose choice of items would be out of date.
   */
  readonly resumes: boolean;
  /** Whether it can go on once the mailbox account that it was started for is gone. */
  readonly outlivesAccount: boolean;
  /** The payload of a job over some of this job's items, named as in `fail`; undefined where items are not in the payload. */
  retryOf?(payload: P, items: readonly string[]): P;
  /** Whether what it changes in a mailbox is noted, so that it can be taken back. */
  readonly undoable?: boolean;
  /** Its entries in the audit log; undefined for kinds that are not audited. */
  readonly audited?: JobAudit<P>;
  /** Whether a job of this kind only found out what another would do, from its result so far; undefined: never. */
  isTrialRun?(result: Readonly<Record<string, unknown>>): boolean;
}

export interface AuditedEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Items that were done; recorded for every status. */
  readonly processed: number;
}

/** Entries of the audit log for the jobs of a kind: counts, codes, names of settings. */
export interface JobAudit<P extends object = object> {
  /** Starting one is recorded as `<act>-started`, its end as `<act>-completed`, `-failed` or `-cancelled`. */
  readonly act: string;
  /** Facts of the start; null: this start is not recorded, since no person asked for it. */
  factsOfStart(payload: P): { readonly target?: AuditTarget; readonly details?: AuditDetails } | null;
  /** Facts of the end, from the result so far; null: it is not recorded, since nothing was done. */
  factsOfEnd(result: Readonly<Record<string, unknown>>, end: AuditedEnd): AuditDetails | null;
  /** A schedule starts them, not their owners. */
  readonly byService?: boolean;
}

/**
 * `every-end`: completed or failed, for jobs that people start and wait for. `failure`: for jobs that report their success
 * themselves, or whose success goes without saying. `never`: for work that no user asked for. A cancellation sends
 * no notification.
 */
export type JobNotification = 'every-end' | 'failure' | 'never';

const defined: JobDefinition[] = [];

/** A job kind is one file: this definition and the handler marked with `@HandlesJob`. Its attempts are the `.run.ts` beside it. */
export function defineJob<P extends object>(
  kind: string,
  options: {
    queue: JobQueue;
    payload: Type<P>;
    notifies?: JobNotification;
    audited?: JobAudit<P>;
    survivesDeactivation?: boolean;
    resumes?: boolean;
    outlivesAccount?: boolean;
    undoable?: boolean;
    retryOf?(payload: P, items: readonly string[]): P;
    isTrialRun?(result: Readonly<Record<string, unknown>>): boolean;
  },
): JobDefinition<P> {
  const definition: JobDefinition<P> = Object.freeze({
    kind,
    notifies: 'every-end',
    survivesDeactivation: false,
    resumes: true,
    outlivesAccount: false,
    ...options,
  });
  defined.push(definition);
  return definition;
}

/** Every definition whose file has been loaded; boot checks that each has its handler. */
export const definedJobs = (): readonly JobDefinition[] => defined;

/** Facts about what was done, stored in the job's `result` beside the failures. */
export type JobResult = Readonly<Record<string, unknown>>;

export interface JobHandler<P extends object> {
  /**
   * Resumes from `job.savedCheckpoint()` when there is one; throws to fail the job. A `DomainError` with `retryAt` puts it off
   * until then: the job frees its slot and begins again from its checkpoint, up to `MAX_POSTPONEMENTS` times in a row.
   */
  run(payload: P, job: JobContext): Promise<JobResult | void>;
  /** Whether what an ended job needs beside its row is still there; without this method there is nothing else. */
  canResume?(payload: P, transaction: Transaction): Promise<boolean>;
}

export const HANDLES_JOB = 'mailroom:handles-job';

/** Registers a provider class as the one handler of a job kind; boot fails on none or two. */
export const HandlesJob = (definition: JobDefinition<never> | JobDefinition): ClassDecorator =>
  SetMetadata(HANDLES_JOB, definition);

/** Counts since the last report; `processed` counts only items that were done. */
export interface ProgressDelta {
  readonly processed?: number;
}

/** The context of a running handler. Handlers work in batches: do, commit, checkpoint (which reports). */
export interface JobContext {
  /** `<kind>-<number>`. */
  readonly jobId: string;
  readonly userId: string;
  /** null for jobs that concern no single account. */
  readonly accountId: string | null;
  /** 1 on the first run; more when the job was picked up again: after a loss, a stop, a wait or its end. */
  readonly attempt: number;
  /** Aborts on cancellation, on shutdown and when another process has taken the job over. */
  readonly signal: AbortSignal;
  readonly logger: Pick<LoggerService, 'log' | 'warn' | 'error'>;
  /** This attempt's hold on the job, for statements that must fail once another process has taken it over. */
  readonly lease: Lease;

  /** Items to process; may be set more than once while it becomes known. */
  setTotal(total: number): void;
  /** Adds to `processed`. Written with the next checkpoint, shown (throttled) at once. */
  progress(delta: ProgressDelta): void;
  /**
   * Records that an item could not be done. Counted apart.
   * @param code why, stable: clients have texts of their own for it
   * @param reason the same for people
   */
  fail(item: string, code: string, reason?: string): void;
  /**
   * Facts about the work so far: they become the result of a job that fails or is cancelled. Replaces the last report; an
   * attempt that goes on from a checkpoint reports anew.
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
  /**
   * Call immediately before what cannot be taken back: a process that was suspended may have lost the job to another one
   * without having heard of it yet.
   * @throws JobInterrupted when the job was cancelled, or its lease may have run out
   */
  assertLeased(): void;
  /**
   * Call in a transaction that writes what the job has done: until it ends, no other process takes the job over.
   * A cancellation need not wait for such a transaction.
   * @throws JobInterrupted when the lease is lost
   */
  requireHeld(transaction: Transaction): Promise<void>;
  /** Opens a secret sealed by `JobsService.start(..., { secrets })`; it is erased when the job ends. */
  secrets<S extends object>(): S;
}
