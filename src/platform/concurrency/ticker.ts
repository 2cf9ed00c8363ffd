import type { Logger } from '@nestjs/common';
import { setTimeout } from './timers';

/** Repeats asynchronous work; a round that takes longer than the interval delays the next. */
export class Ticker {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Pick<Logger, 'error'>,
    /** `ref: false` does not keep a process from ending. */
    private readonly options: { readonly ref: boolean } = { ref: true },
  ) {}

  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.runOnce().then(() => this.start());
    }, this.intervalMs);
    if (!this.options.ref) this.timer.unref();
  }

  private async runOnce(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      // The next round tries again: dependencies come back.
      this.logger.error(error);
    }
  }

  /** Resolves when a running round has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }
}
