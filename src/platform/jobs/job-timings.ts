/** Intervals of starting, running and ending jobs, in milliseconds; tests inject shorter ones. */
export class JobTimings {
  /** Time for which a running job belongs to its process after the last heartbeat. */
  readonly leaseMs: number = 15_000;
  /** A third of the lease, so that one missed beat costs nothing. */
  readonly heartbeatMs: number = 5_000;
  /**
   * Interval of the look for jobs of dead processes. Such a job waits for the lease and this interval at most: 20 s.
   */
  readonly reconcileMs: number = 5_000;
  /** Least time between two updates of a job: at most four a second. */
  readonly publishMs: number = 250;
  /** Interval at which counts are written to the row between checkpoints. */
  readonly progressWriteMs: number = 1_000;
  /** Time between two attempts to write the end of a job, while the database refuses it. */
  readonly endAgainMs: number = 1_000;
  /** Limits of the waits that a job asks for outside its slot: a short one takes a look for runnable jobs anyway. */
  readonly shortestWaitMs: number = 5_000;
  readonly longestWaitMs: number = 15 * 60_000;
  /** Time that a stopping process waits for handlers to reach the end of their batch. */
  readonly shutdownMs: number = 10_000;
}
