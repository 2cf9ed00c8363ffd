/** Intervals of starting, running and ending jobs, in milliseconds; tests inject shorter ones. */
export class JobTimings {
  /** How long a running job belongs to its process after the last heartbeat. */
  readonly leaseMs: number = 15_000;
  /** A third of the lease, so that one missed beat costs nothing. */
  readonly heartbeatMs: number = 5_000;
  /** Lease plus this is the longest a job of a dead process waits: 20 s. */
  readonly reconcileMs: number = 5_000;
  /** At most four updates a second per job. */
  readonly publishMs: number = 250;
  /** How often counts are written to the row between checkpoints. */
  readonly progressWriteMs: number = 1_000;
  /** Between two attempts to write the end of a job, while the database refuses it. */
  readonly endAgainMs: number = 1_000;
  /** Limits of the waits that a job asks for outside its slot: a short one takes a look for runnable jobs anyway. */
  readonly shortestWaitMs: number = 5_000;
  readonly longestWaitMs: number = 15 * 60_000;
  /** How long a stopping process waits for handlers to reach the end of their batch. */
  readonly shutdownMs: number = 10_000;
}
