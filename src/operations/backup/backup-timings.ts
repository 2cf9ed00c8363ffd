import type { Pace } from '../../platform/concurrency/pace-watch';

/** How long a backup waits for object stores, in milliseconds; tests inject shorter ones. */
export class BackupTimings {
  /** For one store with the database's snapshot open: that keeps PostgreSQL from cleaning up. */
  readonly snapshotStoreMs: number = 10 * 60_000;
  /** The slowest store waited for. */
  readonly pace: Pace = { graceMs: 60_000, bytesPerSecond: 64_000 };

  /** @param storeMs for one store, beside a running service; what is copied by then need not be copied the next time */
  constructor(readonly storeMs: number) {}
}
