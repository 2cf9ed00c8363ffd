import type { Pace } from '../../platform/concurrency/pace-watch';

/** Time limits of a backup for object stores, in milliseconds; tests inject shorter ones. */
export class BackupTimings {
  /** Time for one store while the database's snapshot is open, which keeps PostgreSQL from cleaning up. */
  readonly snapshotStoreMs: number = 10 * 60_000;
  /** Pace of the slowest store that is waited for. */
  readonly pace: Pace = { graceMs: 60_000, bytesPerSecond: 64_000 };

  /** @param storeMs time for one store beside a running service; files copied by then need not be copied the next time */
  constructor(readonly storeMs: number) {}
}
