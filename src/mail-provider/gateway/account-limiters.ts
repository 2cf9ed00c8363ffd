import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config';
import { ConcurrencyLimit } from './concurrency-limit';
import { PrioritySemaphore } from './priority-semaphore';

/** Limits that the calls of one account share within this process. */
export interface AccountLimiter {
  /** Calls in flight. */
  readonly slots: ConcurrencyLimit;
  /** Background calls wait for quota one at a time, so that they book little ahead of an interactive one. */
  readonly turn: PrioritySemaphore;
}

/** Beyond so many accounts, the limits learnt for idle ones are dropped. */
const MAX_ACCOUNTS = 500;

@Injectable()
export class AccountLimiters {
  private readonly limiters = new Map<string, AccountLimiter>();
  /** Bytes of message bodies in flight, of all accounts. */
  readonly bytes: PrioritySemaphore;

  constructor(private readonly config: AppConfig) {
    this.bytes = new PrioritySemaphore(config.provider.maxBytesInFlight);
  }

  of(accountId: string): AccountLimiter {
    let limiter = this.limiters.get(accountId);
    if (!limiter) {
      if (this.limiters.size >= MAX_ACCOUNTS) this.dropIdle();
      const { concurrency, maxConcurrency } = this.config.provider;
      limiter = { slots: new ConcurrencyLimit(concurrency, maxConcurrency), turn: new PrioritySemaphore(1) };
      this.limiters.set(accountId, limiter);
    }
    return limiter;
  }

  private dropIdle(): void {
    for (const [accountId, limiter] of this.limiters) {
      if (limiter.slots.idle && limiter.turn.inUse === 0) this.limiters.delete(accountId);
    }
  }
}
