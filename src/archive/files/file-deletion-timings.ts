/** Intervals of file deletions, in milliseconds; tests inject shorter ones. */
export class FileDeletionTimings {
  /** Time within which files must be written and committed before they are deleted, unless the writer renews its lease. */
  readonly writerLeaseMs: number = 10 * 60_000;
  /** Time for which only the process that has claimed files deletes them: longer than a batch of deletions takes. */
  readonly deleterLeaseMs: number = 2 * 60_000;
  /** Interval between searches for files that another process, or a dead one, has left to be deleted. */
  readonly pollMs: number = 5_000;
  /** Pause after a store could not be reached; it doubles with each further failure, up to a day. */
  readonly pauseMs: number = 60_000;
  /** Time for which a batch looks for parts of uploads; the nightly check finds the rest. */
  readonly unfinishedMs: number = 10_000;
}
