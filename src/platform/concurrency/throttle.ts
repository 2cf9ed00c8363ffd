import { setTimeout } from './timers';
/**
 * Calls `action` at most once per interval: at once when it has been quiet, otherwise when the interval ends,
 * so that the last state is always delivered.
 */
export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  private lastRun = -Infinity;

  constructor(
    private readonly intervalMs: number,
    private readonly action: () => void,
  ) {}

  /** Asks for a call. */
  request(): void {
    if (this.timer) return;
    const wait = this.lastRun + this.intervalMs - performance.now();
    if (wait <= 0) {
      this.run();
      return;
    }
    this.timer = setTimeout(() => this.run(), wait);
  }

  /** Forgets a call that is due. */
  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private run(): void {
    this.timer = undefined;
    this.lastRun = performance.now();
    this.action();
  }
}
