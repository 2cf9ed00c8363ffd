import type { CallPriority } from '../../mailbox-provider.port';

export interface Lease {
  /** Counts further weight that turned out to be used; never waits, later callers do. */
  grow(weight: number): void;
  /** Gives everything back; a second call does nothing. */
  release(): void;
}

interface Waiter {
  readonly weight: number;
  grant(): void;
}

/** After so many interactive grants in a row a waiting background caller gets its turn. */
const INTERACTIVE_IN_A_ROW = 16;

/**
 * Weighted semaphore with an adjustable limit. Interactive callers go first, in order of arrival within their
 * class; nobody overtakes a heavier caller of the same class, so none starves. A weight above the limit is let
 * in alone.
 */
export class PrioritySemaphore {
  private readonly queues: Record<CallPriority, Waiter[]> = { interactive: [], background: [] };
  private used = 0;
  private interactiveInARow = 0;

  constructor(private capacity: number) {}

  get limit(): number {
    return this.capacity;
  }

  get inUse(): number {
    return this.used;
  }

  get waiting(): number {
    return this.queues.interactive.length + this.queues.background.length;
  }

  setLimit(limit: number): void {
    this.capacity = limit;
    this.serve();
  }

  /** @throws the signal's reason when it aborts first */
  acquire(weight: number, priority: CallPriority, signal?: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const queue = this.queues[priority];
      const waiter: Waiter = {
        weight,
        grant: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(this.lease(weight));
        },
      };
      const onAbort = () => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal!.reason as Error);
        // The one that left may have been what the others waited behind.
        this.serve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(waiter);
      this.serve();
    });
  }

  private lease(initial: number): Lease {
    let held = initial;
    let released = false;
    return {
      grow: (weight) => {
        if (released) return;
        held += weight;
        this.used += weight;
      },
      release: () => {
        if (released) return;
        released = true;
        this.used -= held;
        this.serve();
      },
    };
  }

  private serve(): void {
    for (let queue = this.next(); queue; queue = this.next()) {
      const head = queue[0]!;
      if (this.used > 0 && this.used + head.weight > this.capacity) return;
      queue.shift();
      this.interactiveInARow = queue === this.queues.interactive ? this.interactiveInARow + 1 : 0;
      this.used += head.weight;
      head.grant();
    }
  }

  private next(): Waiter[] | undefined {
    const { interactive, background } = this.queues;
    if (interactive.length === 0) return background.length > 0 ? background : undefined;
    if (background.length > 0 && this.interactiveInARow >= INTERACTIVE_IN_A_ROW) return background;
    return interactive;
  }
}
