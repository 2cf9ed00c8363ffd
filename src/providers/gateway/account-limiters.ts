import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config';
import type { ProviderAccount } from '../port/mailbox-provider.port';
import { limitsOf } from '../port/provider-limits';
import { ConcurrencyLimit } from './concurrency-limit';
import { PrioritySemaphore } from './priority-semaphore';

/** Limits that the calls of one account share within this process. */
export interface AccountLimiter {
  /** Calls in flight. */
  readonly slots: ConcurrencyLimit;
  /** Background calls wait for quota one at a time, so that they book little ahead of an interactive one. */
  readonly turn: PrioritySemaphore;
  /** Whether all calls of one attempt share one slot. */
  readonly sequential: boolean;
}

/** Number of accounts beyond which the limits of idle ones are forgotten. */
const MAX_ACCOUNTS = 500;

@Injectable()
export class AccountLimiters {
  private readonly limiters = new Map<string, AccountLimiter>();
  /** Bytes of message bodies in flight, of all accounts. */
  readonly bytes: PrioritySemaphore;

  constructor(private readonly config: AppConfig) {
    this.bytes = new PrioritySemaphore(config.provider.maxBytesInFlight);
  }

  of(account: Pick<ProviderAccount, 'id' | 'provider'>): AccountLimiter {
    let limiter = this.limiters.get(account.id);
    if (!limiter) {
      if (this.limiters.size >= MAX_ACCOUNTS) this.dropIdle();
      const { concurrency, maxConcurrency, sequential } = limitsOf(this.config, account.provider);
      const slots = new ConcurrencyLimit(concurrency, maxConcurrency);
      limiter = { slots, turn: new PrioritySemaphore(1), sequential };
      this.limiters.set(account.id, limiter);
    }
    return limiter;
  }

  private dropIdle(): void {
    for (const [accountId, limiter] of this.limiters) {
      if (limiter.slots.idle && limiter.turn.inUse === 0) this.limiters.delete(accountId);
    }
  }
}
