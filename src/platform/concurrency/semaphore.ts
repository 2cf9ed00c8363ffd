/** A part of a semaphore's capacity that is in use. */
export interface Share {
  /** Corrects the share; never waits, later callers do. */
  resize(weight: number): void;
  /** Gives everything back; a second call does nothing. */
  release(): void;
}

export interface WaitingLimit {
  /** Callers that may wait at a time. */
  readonly maxWaiting: number;
  /** Makes the error for one caller too many. */
  readonly refusal: () => Error;
}

interface Waiter {
  readonly weight: number;
  grant(): void;
}

/**
 * Bounds how much (bytes, threads, calls) is in use at a time. Callers wait in order of arrival, so that a heavy one
 * is not overtaken for ever; one heavier than the whole capacity is let in alone.
 */
export class Semaphore {
  private readonly waiters: Waiter[] = [];
  private used = 0;
  private shares = 0;

  constructor(
    private readonly capacity: number,
    private readonly limit?: WaitingLimit,
  ) {}

  get inUse(): number {
    return this.used;
  }

  /** Runs work that weighs 1. @throws like `reserve`, and what the work throws */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const share = await this.reserve(1, signal);
    try {
      return await work();
    } finally {
      share.release();
    }
  }

  /** @throws the signal's reason when it aborts first; the refusal when too many wait already */
  reserve(weight: number, signal?: AbortSignal): Promise<Share> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const waiter: Waiter = {
        weight,
        grant: () => {
          signal?.removeEventListener('abort', leave);
          this.used += weight;
          resolve(this.createShare(weight));
        },
      };
      const leave = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(signal?.reason as Error);
        this.admitWaiters();
      };
      if (this.limit && !this.fits(weight) && this.waiters.length >= this.limit.maxWaiting) {
        return reject(this.limit.refusal());
      }
      signal?.addEventListener('abort', leave, { once: true });
      this.waiters.push(waiter);
      this.admitWaiters();
    });
  }

  private createShare(initial: number): Share {
    this.shares += 1;
    let held = initial;
    let released = false;
    const resize = (weight: number): void => {
      if (released) return;
      this.used += weight - held;
      held = weight;
      this.admitWaiters();
    };
    return {
      resize,
      release: () => {
        if (released) return;
        this.shares -= 1;
        resize(0);
        released = true;
      },
    };
  }

  private fits(weight: number): boolean {
    return this.shares === 0 || this.used + weight <= this.capacity;
  }

  private admitWaiters(): void {
    for (;;) {
      const [next] = this.waiters;
      if (!next || !this.fits(next.weight)) return;
      this.waiters.shift();
      next.grant();
    }
  }
}
