import { setTimeout } from '../concurrency/timers';
/**
 * Ends work in another thread that takes too long. Time counts from the moment the thread says it has begun, as it
 * may have waited long behind the work of others.
 */
export class TaskTimeout {
  private readonly startedAt: BigInt64Array;
  private readonly abortion = new AbortController();
  private timer: NodeJS.Timeout;

  /** @param startedAt a BigInt64 the thread sets to its `Date.now()` when it begins */
  constructor(
    startedAt: SharedArrayBuffer,
    private readonly timeoutMs: number,
  ) {
    this.startedAt = new BigInt64Array(startedAt);
    this.check();
  }

  /** Aborts when the time is up. */
  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private check(): void {
    const startedAt = Number(Atomics.load(this.startedAt, 0));
    const left = startedAt === 0 ? this.timeoutMs : startedAt + this.timeoutMs - Date.now();
    if (left > 0) this.timer = setTimeout(() => this.check(), left).unref();
    else this.abortion.abort(new Error(`The work took more than ${this.timeoutMs / 1_000} s`));
  }
}
