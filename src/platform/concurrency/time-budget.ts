/**
 * Limit of the total time that is spent on waiting for others. A wait that is under way when the time is used up still
 * ends by its own time-out; no further one begins.
 */
export class TimeBudget {
  private spentMs = 0;

  /**
   * @param limitMs Infinity for no limit
   * @param usedUp makes the error of a wait that is not begun any more
   * @param whole a larger budget, of which this one is a part
   */
  constructor(
    private readonly limitMs: number,
    private readonly usedUp: () => Error,
    private readonly whole: TimeBudget | null = null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get leftMs(): number {
    return Math.max(0, Math.min(this.limitMs - this.spentMs, this.whole?.leftMs ?? Infinity));
  }

  /** @throws the error of a budget that is used up */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.leftMs === 0) throw this.usedUp();
    const startedAt = this.now();
    try {
      return await work();
    } finally {
      this.take(this.now() - startedAt);
    }
  }

  private take(ms: number): void {
    this.spentMs += ms;
    this.whole?.take(ms);
  }
}
