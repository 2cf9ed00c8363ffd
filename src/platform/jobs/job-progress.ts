import type { JobFailure, JobStatus } from './job.entity';

/** Failed items that are kept by name; further ones are only counted. */
export const MAX_KEPT_FAILURES = 1_000;

export interface JobCounts {
  readonly total: number;
  /** Items that were done. */
  readonly processed: number;
  /** Items that failed. */
  readonly failed: number;
}

/**
 * The share of the total that is done or failed, as a whole number from 0 to 100. 100 for every completed job, 0 while the
 * total is unknown.
 */
export function progressOf(job: JobCounts & { readonly status: JobStatus }): number {
  if (job.status === 'completed') return 100;
  if (job.total <= 0) return 0;
  return Math.min(100, Math.floor(((job.processed + job.failed) / job.total) * 100));
}

/** Counts and failures of a running job. */
export class ProgressCounter {
  private readonly kept: JobFailure[];
  private readonly state: { total: number; processed: number; failed: number };

  constructor(counts: JobCounts, failures: readonly JobFailure[]) {
    this.state = { total: counts.total, processed: counts.processed, failed: counts.failed };
    this.kept = [...failures];
  }

  get counts(): JobCounts {
    return { ...this.state };
  }

  get failures(): readonly JobFailure[] {
    return this.kept;
  }

  get failuresTruncated(): boolean {
    return this.state.failed > this.kept.length;
  }

  setTotal(total: number): void {
    this.state.total = total;
  }

  add(processed: number): void {
    this.state.processed += processed;
  }

  fail(item: string, code: string, reason = code): void {
    this.state.failed += 1;
    if (this.kept.length < MAX_KEPT_FAILURES) this.kept.push({ item, code, reason });
  }
}
