/** Intervals of file deletions, in milliseconds; tests inject shorter ones. */
export class FileDeletionTimings {
  /** How long files may take to be written and committed before they are deleted, unless the writer renews its lease. */
  readonly writerLeaseMs: number = 10 * 60_000;
  /** How long others leave files alone that a process has claimed: longer than a batch of deletions takes. */
  readonly deleterLeaseMs: number = 2 * 60_000;
  /** How often files are looked for that another process, or a dead one, has left to be deleted. */
  readonly pollMs: number = 5_000;
  /** How long a store that was away is left alone; twice as long each further time, up to a day. */
  readonly pauseMs: number = 60_000;
  /** How long a batch looks for parts of uploads; the nightly check finds the rest. */
  readonly unfinishedMs: number = 10_000;
}
