import type { JobFailure, JobStatus } from './job.entity';

/** Failed items kept by name; beyond, they are only counted. */
export const MAX_KEPT_FAILURES = 1_000;

export interface JobCounts {
  readonly total: number;
  /** Items really done. */
  readonly processed: number;
  /** Items that could not be done. */
  readonly failed: number;
}

/**
 * 0–100, whole numbers: how much of the total has been dealt with, done or failed. A completed job is at 100
 * whatever its counts; a total that is not known yet is 0.
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

  fail(item: string, reason: string): void {
    this.state.failed += 1;
    if (this.kept.length < MAX_KEPT_FAILURES) this.kept.push({ item, reason });
  }
}
