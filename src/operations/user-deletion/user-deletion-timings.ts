/** Intervals of a deletion, in milliseconds; tests inject shorter ones. */
export class UserDeletionTimings {
  /** Time for cancelled jobs of the user to end their batch before the deletion is postponed. */
  readonly stopJobsMs: number = 10_000;
  /** Interval at which the jobs are checked. */
  readonly pollMs: number = 500;
}
