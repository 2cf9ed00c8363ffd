import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config';
import { ConcurrencyLimit } from './concurrency-limit';
import { PrioritySemaphore } from './priority-semaphore';

/** What the calls of one account share within this process. */
export interface AccountLimiter {
  /** Calls in flight. */
  readonly slots: ConcurrencyLimit;
  /** Background calls wait for quota one at a time, so that they book little ahead of an interactive one. */
  readonly turn: PrioritySemaphore;
}

/** Beyond so many accounts, the idle ones forget what they have learnt. */
const MAX_LANES = 500;

@Injectable()
export class AccountLimiters {
  private readonly lanes = new Map<string, AccountLimiter>();
  /** Bytes of message bodies in flight, of all accounts. */
  readonly bytes: PrioritySemaphore;

  constructor(private readonly config: AppConfig) {
    this.bytes = new PrioritySemaphore(config.provider.maxBytesInFlight);
  }

  of(accountId: string): AccountLimiter {
    let lane = this.lanes.get(accountId);
    if (!lane) {
      if (this.lanes.size >= MAX_LANES) this.dropIdle();
      const { concurrency, maxConcurrency } = this.config.provider;
      lane = { slots: new ConcurrencyLimit(concurrency, maxConcurrency), turn: new PrioritySemaphore(1) };
      this.lanes.set(accountId, lane);
    }
    return lane;
  }

  private dropIdle(): void {
    for (const [accountId, lane] of this.lanes) {
      if (lane.slots.idle && lane.turn.inUse === 0) this.lanes.delete(accountId);
    }
  }
}
