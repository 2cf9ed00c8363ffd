/** Queues by the kind of work. */
export enum JobQueue {
  InteractiveBulk = 'interactive-bulk',
  Archive = 'archive',
  /** Copying backlogs of mailboxes that are kept: new mail does not wait for it, nor for what people archive. */
  Keep = 'keep',
  /** Comparing copies with a mailbox, and moving messages out of it. */
  Offload = 'offload',
  Import = 'import',
  Scan = 'scan',
  /** Reading whole mailboxes into the message index. */
  Index = 'index',
  Rules = 'rules',
  Crypto = 'crypto',
  Maintenance = 'maintenance',
  /** Reading whole archives, for hours: other maintenance does not wait for it. */
  Integrity = 'integrity',
  /** Putting mail back, for hours: neither archiving nor imports wait for it. */
  Restore = 'restore',
}

export interface JobQueueSettings {
  /**
   * Jobs of the queue that one process runs at a time. Any number of processes may serve the queue. At least 2: the last
   * slot of a process is never for a user who has all the others.
   */
  readonly concurrency: number;
}

/** Exhaustive on purpose: a queue without settings does not compile. */
export const JOB_QUEUES: Readonly<Record<JobQueue, JobQueueSettings>> = {
  // Few, cheap provider calls, and a user waits for them: different accounts should not queue behind each other.
  [JobQueue.InteractiveBulk]: { concurrency: 6 },
  // Bound by the provider's quota per account; memory is bounded by the gateway, not by this.
  [JobQueue.Archive]: { concurrency: 4 },
  // Runs with what quota others leave.
  [JobQueue.Keep]: { concurrency: 2 },
  // Bound by the provider's quota per account, for half an hour and more: nothing that people wait for is queued behind it.
  [JobQueue.Offload]: { concurrency: 2 },
  // Each import keeps a parser and the disk busy.
  [JobQueue.Import]: { concurrency: 2 },
  [JobQueue.Scan]: { concurrency: 3 },
  // Bound by the provider's quota per account; everything else goes before it.
  [JobQueue.Index]: { concurrency: 2 },
  // Like bulk changes, but no user watches, and archiving by rule may take long.
  [JobQueue.Rules]: { concurrency: 4 },
  // Saturates the worker threads with one job; the second slot is another user's, who need not wait for the first's hours.
  [JobQueue.Crypto]: { concurrency: 2 },
  // No user waits for it, but a store that hangs must not hold it up for all.
  [JobQueue.Maintenance]: { concurrency: 2 },
  // Bound by the disk; the second slot only keeps one user's store from holding up the others' checks.
  [JobQueue.Integrity]: { concurrency: 2 },
  // Bound by the destination; the second slot is another user's.
  [JobQueue.Restore]: { concurrency: 2 },
};

/**
 * Jobs of a queue that a process runs for one user at a time: one fewer than its slots, so that no user holds all of
 * them.
 */
export const slotsPerUser = (queue: JobQueue): number => JOB_QUEUES[queue].concurrency - 1;

export const ALL_JOB_QUEUES: readonly JobQueue[] = Object.values(JobQueue);
