import { abortable, sleep } from './abortable';

export interface TurnOptions {
  /** Ends the wait for the turn; work that has begun is its own matter. */
  readonly signal?: AbortSignal | undefined;
  /** Goes ahead without its turn after this time; default: no limit. */
  readonly waitMs?: number;
}

/** Runs work one at a time for each key, in the order of arrival. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<void>>();

  /** @throws what the work throws; the signal's reason when it aborts while the work waits */
  async run<T>(key: string, work: () => Promise<T>, options: TurnOptions = {}): Promise<T> {
    const before = this.last.get(key);
    let leave!: () => void;
    const own = new Promise<void>((resolve) => (leave = resolve));
    const tail = (before ?? Promise.resolve()).then(() => own);
    this.last.set(key, tail);
    void tail.then(() => this.last.get(key) === tail && this.last.delete(key));
    try {
      if (before) await waitForTurn(before, options);
      options.signal?.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  }
}

async function waitForTurn(before: Promise<void>, { signal, waitMs = Infinity }: TurnOptions): Promise<void> {
  if (waitMs === Infinity) return abortable(before, signal);
  const over = new AbortController();
  const wait = sleep(waitMs, over.signal).catch(() => undefined);
  try {
    await abortable(Promise.race([before, wait]), signal);
  } finally {
    over.abort();
  }
}
