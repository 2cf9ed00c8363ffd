/** Intervals of the check, in milliseconds; tests inject shorter ones. */
export class IntegrityTimings {
  /** Between the two looks at a file that seems wrong: what replaces or removes it is through by then. */
  readonly secondLookMs: number = 1_000;
  /** Waits before a store that cannot be reached is asked again; after the last the check fails. */
  readonly storeRetriesMs: readonly number[] = [1_000, 5_000, 15_000, 30_000];
  /** Rest after each batch, as a part of the time it took: nobody waits for the nightly check, an admin may. */
  readonly nightlyRest: number = 1;
  readonly requestedRest: number = 0.25;
}
