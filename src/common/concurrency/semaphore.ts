/** A part of a budget that is in use. */
export interface Share {
  /** Corrects what is in use; never waits, later callers do. */
  resize(weight: number): void;
  /** Gives everything back; a second call does nothing. */
  release(): void;
}

interface Waiter {
  readonly weight: number;
  grant(): void;
}

/**
 * Bounds how much (bytes, threads) is in use at a time. Callers wait in order of arrival, so that a heavy one is not
 * overtaken for ever; one heavier than the whole budget is let in alone.
 */
export class Semaphore {
  private readonly waiters: Waiter[] = [];
  private used = 0;
  private shares = 0;

  constructor(private readonly capacity: number) {}

  get inUse(): number {
    return this.used;
  }

  /** @throws the signal's reason when it aborts first */
  reserve(weight: number, signal?: AbortSignal): Promise<Share> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const waiter: Waiter = {
        weight,
        grant: () => {
          signal?.removeEventListener('abort', leave);
          this.used += weight;
          resolve(this.share(weight));
        },
      };
      const leave = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(signal?.reason as Error);
        this.serve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiters.push(waiter);
      this.serve();
    });
  }

  private share(initial: number): Share {
    this.shares += 1;
    let held = initial;
    let released = false;
    const resize = (weight: number): void => {
      if (released) return;
      this.used += weight - held;
      held = weight;
      this.serve();
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

  private serve(): void {
    for (;;) {
      const [next] = this.waiters;
      if (!next || (this.shares > 0 && this.used + next.weight > this.capacity)) return;
      this.waiters.shift();
      next.grant();
    }
  }
}
