import { Lane } from '../job-definition';

export interface LaneSettings {
  /** Jobs of the lane one process runs at a time. Any number of processes may run the lane. */
  readonly concurrency: number;
}

/** Exhaustive on purpose: a lane without settings does not compile. */
export const LANES: Readonly<Record<Lane, LaneSettings>> = {
  // Few, cheap provider calls, and somebody is waiting: different accounts should not queue behind each other.
  [Lane.InteractiveBulk]: { concurrency: 6 },
  // Bound by the provider's quota per account; memory is bounded by the gateway, not by this.
  [Lane.Archive]: { concurrency: 4 },
  // Each import keeps a parser and the disk busy.
  [Lane.Import]: { concurrency: 2 },
  [Lane.Scan]: { concurrency: 3 },
  // Bound by the provider's quota per account; everything else goes before it.
  [Lane.Index]: { concurrency: 2 },
  // Like bulk changes, but nobody watches, and archiving by rule may take long.
  [Lane.Rules]: { concurrency: 4 },
  // Saturates the worker threads with one job; a second would only make both slower.
  [Lane.Crypto]: { concurrency: 1 },
  // Nobody waits for it.
  [Lane.Maintenance]: { concurrency: 1 },
  // Bound by the disk; a second would only disturb those who read.
  [Lane.Integrity]: { concurrency: 1 },
};

export const ALL_LANES: readonly Lane[] = Object.values(Lane);
