import type { CallPriority } from '../port/mailbox-provider.port';

export interface Lease {
  /**
   * Asks for further weight; each call must wait for the previous one to be granted. Growth has precedence over new
   * callers, in the order of the leases. Growth that does not fit waits for leases that can end without growing. When
   * all growing leases wait for each other, one of them may exceed the limit.
   * @returns undefined when granted at once
   * @throws the signal's reason when it aborts first
   */
  grow(weight: number, signal?: AbortSignal): Promise<void> | undefined;
  /** Releases the whole weight; a second call does nothing. */
  release(): void;
}

interface Waiter {
  readonly weight: number;
  /** Start of the wait, epoch milliseconds. */
  readonly since: number;
  grant(): void;
}

interface Holder {
  readonly order: number;
  held: number;
  /**
   * Whether the lease has grown. Only such leases are sure to end: others may be held while their owner waits for
   * something else.
   */
  growing: boolean;
}

interface Growth extends Omit<Waiter, 'since'> {
  readonly holder: Holder;
}

/** Wait after which a spare caller is treated like one in the background, in milliseconds. */
export const SPARE_WAIT_MS = 60_000;
/** Interactive grants in a row after which a waiting background caller gets its turn. */
const INTERACTIVE_IN_A_ROW = 16;

/**
 * Weighted semaphore with an adjustable limit. Interactive callers go first, then background ones, then spare ones; a
 * spare caller that has waited for a minute goes before the background ones. Within a class callers go in order of
 * arrival: none overtakes a heavier one, so none starves. A weight above the limit is admitted when nothing else is in
 * use, weight zero always. Usage exceeds the limit by no more than one lease's growth.
 */
export class PrioritySemaphore {
  private readonly queues: Record<CallPriority, Waiter[]> = { interactive: [], background: [], spare: [] };
  private readonly growths: Growth[] = [];
  /** Number of growing leases that are not waiting. */
  private moving = 0;
  /** The lease that may exceed the limit. Its growth goes before all other growth, so that it ends soon. */
  private beyond: Holder | undefined;
  private used = 0;
  private leases = 0;
  private interactiveInARow = 0;

  constructor(private capacity: number) {}

  get limit(): number {
    return this.capacity;
  }

  get inUse(): number {
    return this.used;
  }

  /** Number of callers not yet admitted, without the leases that wait to grow. */
  get waiting(): number {
    const { interactive, background, spare } = this.queues;
    return interactive.length + background.length + spare.length;
  }

  setLimit(limit: number): void {
    this.capacity = limit;
    this.serve();
  }

  /** @throws the signal's reason when it aborts first */
  acquire(weight: number, priority: CallPriority, signal?: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      if (weight === 0) return resolve(this.createLease(weight));
      const queue = this.queues[priority];
      const waiter: Waiter = {
        weight,
        since: Date.now(),
        grant: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(this.createLease(weight));
        },
      };
      const onAbort = () => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal!.reason as Error);
        // Other callers may have waited behind this one.
        this.serve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(waiter);
      this.serve();
    });
  }

  private createLease(held: number): Lease {
    const holder: Holder = { order: this.leases++, held, growing: false };
    let released = false;
    return {
      grow: (weight, signal) => (released ? undefined : this.grow(holder, weight, signal)),
      release: () => {
        if (released) return;
        released = true;
        if (holder.growing) this.moving -= 1;
        if (this.beyond === holder) this.beyond = undefined;
        this.used -= holder.held;
        this.serve();
      },
    };
  }

  private grow(holder: Holder, weight: number, signal?: AbortSignal): Promise<void> | undefined {
    if (holder.growing) this.moving -= 1;
    holder.growing = true;
    let granted = false;
    let settle = (): void => undefined;
    const growth: Growth = {
      holder,
      weight,
      grant: () => {
        granted = true;
        settle();
      },
    };
    this.enqueue(growth);
    this.serve();
    if (granted) return undefined;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.growths.splice(this.growths.indexOf(growth), 1);
        this.moving += 1;
        reject(signal!.reason as Error);
        this.serve();
      };
      settle = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  private enqueue(growth: Growth): void {
    const rank = ({ holder }: Growth) => (holder === this.beyond ? -1 : holder.order);
    const at = this.growths.findIndex((other) => rank(other) > rank(growth));
    this.growths.splice(at === -1 ? this.growths.length : at, 0, growth);
  }

  private serve(): void {
    this.serveGrowths();
    for (let queue = this.chooseQueue(); queue; queue = this.chooseQueue()) {
      const head = queue[0]!;
      if (this.used > 0 && !this.fits(head)) return;
      // Interactive callers may pass leases that wait to grow. Other callers may not, as they would only join that
      // wait.
      if (this.growths.length > 0 && queue !== this.queues.interactive) return;
      queue.shift();
      this.interactiveInARow = queue === this.queues.interactive ? this.interactiveInARow + 1 : 0;
      this.used += head.weight;
      head.grant();
    }
  }

  private serveGrowths(): void {
    for (let head = this.growths[0]; head; head = this.growths[0]) {
      if (!this.fits(head)) {
        if (this.moving > 0) return;
        this.beyond = head.holder;
      }
      this.growths.shift();
      this.moving += 1;
      this.used += head.weight;
      head.holder.held += head.weight;
      head.grant();
    }
  }

  private fits({ weight }: Pick<Waiter, 'weight'>): boolean {
    return this.used + weight <= this.capacity;
  }

  private chooseQueue(): Waiter[] | undefined {
    const { interactive } = this.queues;
    const others = this.chooseOtherQueue();
    if (interactive.length === 0) return others;
    return others && this.interactiveInARow >= INTERACTIVE_IN_A_ROW ? others : interactive;
  }

  private chooseOtherQueue(): Waiter[] | undefined {
    const { background, spare } = this.queues;
    const [oldest] = spare;
    if (oldest && (background.length === 0 || Date.now() - oldest.since >= SPARE_WAIT_MS)) return spare;
    return background.length > 0 ? background : undefined;
  }
}
