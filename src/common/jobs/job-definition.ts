import { SetMetadata, Type } from '@nestjs/common';
import type { AuditDetails, AuditTarget } from '../audit/audit-trail.port';
import type { JobContext } from './job-context';

/** Queues by the kind of work. Each has its own concurrency, see `starting/lanes.ts`. */
export enum Lane {
  InteractiveBulk = 'interactive-bulk',
  Archive = 'archive',
  Import = 'import',
  Scan = 'scan',
  /** Reading whole mailboxes into the message index. */
  Index = 'index',
  Rules = 'rules',
  Crypto = 'crypto',
  Maintenance = 'maintenance',
  /** Reading whole archives, for hours: what else is to be maintained does not wait for it. */
  Integrity = 'integrity',
}

export interface JobDefinition<P extends object = object> {
  /** Wire name, also the prefix of job ids; never renamed. */
  readonly kind: string;
  readonly lane: Lane;
  /** Validated with class-validator when a job starts and again before its handler runs. */
  readonly payload: Type<P>;
  /** Which ends the owner is told of. */
  readonly announced: JobAnnouncement;
  /**
   * Goes on, and may be started, while its owner is deactivated: what the service owes whoever owns it, such as a removal
   * that was promised. Everything else stops with the deactivation.
   */
  readonly survivesDeactivation: boolean;
  /** What the audit log says of it; undefined for what nobody has to answer for. */
  readonly audited?: JobAudit<P>;
}

export interface AuditedEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Items really done, whatever the end; recorded in any case. */
  readonly processed: number;
}

/** What the audit log holds of the jobs of a kind: counts, codes, names of settings. */
export interface JobAudit<P extends object = object> {
  /** Starting one is recorded as `<act>-started`, its end as `<act>-completed`, `-failed` or `-cancelled`. */
  readonly act: string;
  /** Facts of the start; null: this one is not recorded, since nobody asked for it. */
  started(payload: P): { readonly target?: AuditTarget; readonly details?: AuditDetails } | null;
  /** Facts of the end, from whatever result there is; null: it is not recorded, since nothing was done. */
  ended(result: Readonly<Record<string, unknown>>, end: AuditedEnd): AuditDetails | null;
  /** A schedule starts them, not their owners. */
  readonly byService?: boolean;
}

/**
 * `every-end`: completed or failed, what people start and wait for. `failure`: what tells of its success itself, or
 * whose success goes without saying. `never`: work nobody asked for. Cancellations are never told.
 */
export type JobAnnouncement = 'every-end' | 'failure' | 'never';

const defined: JobDefinition[] = [];

/** A job kind is one file: this definition and the handler marked with `@HandlesJob`. */
export function defineJob<P extends object>(
  kind: string,
  options: {
    lane: Lane;
    payload: Type<P>;
    announced?: JobAnnouncement;
    audited?: JobAudit<P>;
    survivesDeactivation?: boolean;
  },
): JobDefinition<P> {
  const definition: JobDefinition<P> = Object.freeze({
    kind,
    announced: 'every-end',
    survivesDeactivation: false,
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
  /** Resumes from `job.savedCheckpoint()` when there is one; throws to fail the job. */
  run(payload: P, job: JobContext): Promise<JobResult | void>;
}

export const HANDLES_JOB = 'mailroom:handles-job';

/** Registers a provider class as the one handler of a job kind; boot fails on none or two. */
export const HandlesJob = (definition: JobDefinition<never> | JobDefinition): ClassDecorator =>
  SetMetadata(HANDLES_JOB, definition);
