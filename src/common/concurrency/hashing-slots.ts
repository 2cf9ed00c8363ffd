/** Lets a few hashings run and a bounded number wait: each costs 32 MiB and a thread of Node's small pool. */
export class HashingSlots {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  /** @param refusal what is thrown when too many wait already */
  constructor(
    slots: number,
    private readonly maxWaiting: number,
    private readonly refusal: () => Error,
  ) {
    this.free = slots;
  }

  /** @throws the refusal when too many wait already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private async acquire(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    if (this.waiting.length >= this.maxWaiting) throw this.refusal();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the slot to whoever waits longest. */
  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
