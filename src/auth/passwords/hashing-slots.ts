import { DomainError } from '../../common/http/domain-error';

export class TooBusyToHash extends DomainError {
  constructor() {
    super({
      code: 'sign-in-busy',
      status: 503,
      detail: 'Too many people are signing in at this moment; try again shortly.',
      level: 'warn',
      headers: { 'Retry-After': '5' },
    });
  }
}

/** Lets a few hashings run and a bounded number wait: each costs 32 MiB and a thread of Node's small pool. */
export class HashingSlots {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(
    slots: number,
    private readonly maxWaiting: number,
  ) {
    this.free = slots;
  }

  /** @throws TooBusyToHash when too many wait already */
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
    if (this.waiting.length >= this.maxWaiting) throw new TooBusyToHash();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the slot to whoever waits longest. */
  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
