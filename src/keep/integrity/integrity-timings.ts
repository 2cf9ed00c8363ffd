import type { StoreAllowanceLimits } from '../../archive/files/store-allowance';

/** Intervals of the check, in milliseconds; tests inject shorter ones. */
export class IntegrityTimings {
  /** Pause before a file that seems damaged is read again: a replacement or deletion is complete by then. */
  readonly recheckAfterMs: number = 1_000;
  /** Pauses before a store that cannot be reached is asked again; after the last one the check fails. */
  readonly storeRetriesMs: readonly number[] = [1_000, 5_000, 15_000, 30_000];
  /** Time limits for the files of one object store in one check: the files of other stores wait meanwhile. */
  readonly store: StoreAllowanceLimits = {
    totalMs: 4 * 60 * 60_000,
    pace: { graceMs: 60_000, bytesPerSecond: 64_000 },
  };
  /** Pause after each batch as a share of its duration: long at night, short for an administrator who waits. */
  readonly nightlyRest: number = 1;
  readonly requestedRest: number = 0.25;
}
