import type { Share } from './semaphore';

export interface FairLimits {
  /** Slots that all keys together may use. */
  readonly capacity: number;
  /** Slots that one key may use; fewer than the capacity leave room for the others. */
  readonly perKey: number;
  /** Callers of one key that may wait at a time; without it any number. */
  readonly maxWaitingPerKey?: number;
  /** Callers of all keys that may wait at a time: one too many displaces the newest of the key with the most. */
  readonly maxWaiting?: number;
  /** Makes the error for one caller too many. */
  readonly refusal?: () => Error;
}

interface Waiter {
  readonly weight: number;
  grant(): void;
  leave(reason: Error): void;
}

/** One key, usually a user: there while something of it is in use or waits. */
interface Party {
  used: number;
  shares: number;
  readonly waiters: Waiter[];
}

/**
 * A semaphore whose capacity is shared by keys, usually users. Keys take turns, whatever number of callers each of them
 * has; within a key it is first come, first served. A caller heavier than the limit of its key is let in when nothing
 * else of the key is in use, and one heavier than the whole capacity when nothing at all is.
 */
export class FairSemaphore {
  /** In the order of turns: a key moves to the end when one of its callers is let in. */
  private readonly parties = new Map<string, Party>();
  private used = 0;
  private shares = 0;

  constructor(private readonly limits: FairLimits) {}

  get inUse(): number {
    return this.used;
  }

  /** Runs work that weighs 1. @throws like `reserve`, and what the work throws */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const share = await this.reserve(key, 1, signal);
    try {
      return await work();
    } finally {
      share.release();
    }
  }

  /** The share, when it can be had at once; undefined when the caller would have to wait. */
  tryReserve(key: string, weight: number): Share | undefined {
    if (this.findAdmissibleParty()) return undefined;
    const party = this.partyOf(key);
    const { capacity, perKey } = this.limits;
    const isFree =
      party.waiters.length === 0 &&
      fits(party.used, party.shares, weight, perKey) &&
      fits(this.used, this.shares, weight, capacity);
    if (!isFree) {
      this.forgetIdle(key, party);
      return undefined;
    }
    this.parties.delete(key);
    this.parties.set(key, party);
    return this.createShare(key, party, weight);
  }

  /** Whether the key may have so much more by its own limit: if so, only other keys can be in its way. */
  isWithinLimit(key: string, weight: number): boolean {
    const { used, shares } = this.parties.get(key) ?? { used: 0, shares: 0 };
    return fits(used, shares, weight, this.limits.perKey);
  }

  /** @throws the signal's reason when it aborts first; the refusal when too many callers wait already */
  reserve(key: string, weight: number, signal?: AbortSignal): Promise<Share> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const party = this.partyOf(key);
      const onAbort = (): void => {
        waiter.leave(signal?.reason as Error);
        this.admitWaiters();
      };
      const waiter: Waiter = {
        weight,
        grant: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(this.createShare(key, party, weight));
        },
        leave: (reason) => {
          signal?.removeEventListener('abort', onAbort);
          party.waiters.splice(party.waiters.indexOf(waiter), 1);
          this.forgetIdle(key, party);
          reject(reason);
        },
      };
      party.waiters.push(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.admitWaiters();
      this.refuseExcess(party);
    });
  }

  private refuseExcess(party: Party): void {
    const { maxWaitingPerKey = Infinity, maxWaiting = Infinity, refusal } = this.limits;
    if (!refusal) return;
    const crowd = party.waiters.length > maxWaitingPerKey ? party : this.longestBeyond(maxWaiting);
    crowd?.waiters.at(-1)?.leave(refusal());
  }

  private longestBeyond(maxWaiting: number): Party | undefined {
    let waiting = 0;
    let longest: Party | undefined;
    for (const party of this.parties.values()) {
      waiting += party.waiters.length;
      if (party.waiters.length >= (longest?.waiters.length ?? 1)) longest = party;
    }
    return waiting > maxWaiting ? longest : undefined;
  }

  private createShare(key: string, party: Party, initial: number): Share {
    party.used += initial;
    party.shares += 1;
    this.used += initial;
    this.shares += 1;
    let held = initial;
    let released = false;
    const change = (weight: number): void => {
      party.used += weight - held;
      this.used += weight - held;
      held = weight;
    };
    return {
      resize: (weight) => {
        if (released) return;
        change(weight);
        this.admitWaiters();
      },
      release: () => {
        if (released) return;
        released = true;
        change(0);
        party.shares -= 1;
        this.shares -= 1;
        this.forgetIdle(key, party);
        this.admitWaiters();
      },
    };
  }

  /**
   * Admits the waiters whose turn it is. A key at its own limit is passed over; one for which there is no room yet is
   * not.
   */
  private admitWaiters(): void {
    for (;;) {
      const next = this.findAdmissibleParty();
      if (!next) return;
      const [key, party] = next;
      const [waiter] = party.waiters;
      if (!waiter || !fits(this.used, this.shares, waiter.weight, this.limits.capacity)) return;
      party.waiters.shift();
      this.parties.delete(key);
      this.parties.set(key, party);
      waiter.grant();
    }
  }

  private findAdmissibleParty(): [string, Party] | undefined {
    for (const [key, party] of this.parties) {
      const [waiter] = party.waiters;
      if (waiter && fits(party.used, party.shares, waiter.weight, this.limits.perKey)) return [key, party];
    }
    return undefined;
  }

  private partyOf(key: string): Party {
    const known = this.parties.get(key);
    if (known) return known;
    const party: Party = { used: 0, shares: 0, waiters: [] };
    this.parties.set(key, party);
    return party;
  }

  private forgetIdle(key: string, party: Party): void {
    if (party.shares === 0 && party.waiters.length === 0) this.parties.delete(key);
  }
}

const fits = (used: number, shares: number, weight: number, limit: number): boolean =>
  shares === 0 || used + weight <= limit;
