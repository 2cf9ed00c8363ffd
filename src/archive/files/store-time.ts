import { TimeBudget } from '../../platform/concurrency/time-budget';
import { ArchiveStoreEndless } from './archive-store.errors';
import { LOCAL_STORAGE } from './archive-store.port';

/**
 * Time limits of jobs for stores that users have chosen, in milliseconds; tests inject shorter ones. Only the time of the
 * store's answers counts: some two million files can be listed in it, or a hundred thousand deleted.
 */
export class StoreTimings {
  /** Limit for one store in one pass over the stores of a user. */
  readonly perStoreMs: number = 10 * 60_000;
  /** Limit for all of a user's stores in one pass: there may be any number of them. */
  readonly perPassMs: number = 20 * 60_000;
}

/** The time of one pass over the stores of a user. The local disk, which the operator provides, has no limit. */
export class StoreTime {
  private readonly pass: TimeBudget;
  private readonly stores = new Map<string, TimeBudget>();

  constructor(private readonly timings: StoreTimings) {
    this.pass = new TimeBudget(timings.perPassMs, endless);
  }

  /** @param storage name of the store in mail rows */
  of(storage: string): TimeBudget {
    let budget = this.stores.get(storage);
    if (!budget) {
      budget =
        storage === LOCAL_STORAGE
          ? new TimeBudget(Infinity, endless)
          : new TimeBudget(this.timings.perStoreMs, endless, this.pass);
      this.stores.set(storage, budget);
    }
    return budget;
  }
}

const endless = (): Error => new ArchiveStoreEndless();
