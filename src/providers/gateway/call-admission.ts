import { Injectable } from '@nestjs/common';
import { ProviderRateLimited, RequestsPaced } from '../port/mail-provider.errors';
import { AccountLimiters } from './account-limiters';
import { linkedSignal, sleep } from '../../platform/concurrency/abortable';
import { type Lease, SPARE_WAIT_MS } from './priority-semaphore';
import type { ProviderCall } from './provider-call';
import { AccountPauses } from './account-pauses';
import { QuotaBucket } from './quota-bucket';

/** The leases that an admitted call holds until its answer has arrived. */
export interface Admission {
  readonly slot: Lease;
  readonly bytes: Lease;
  release(): void;
}

/** Time after which an interactive caller that found no free slot should try again, in milliseconds. */
const BUSY_RETRY_MS = 2_000;
/**
 * Longest pause that background callers wait out here, in milliseconds. For a longer one they get an error, since most
 * hold a job slot that other users wait for. Below a minute, repeating their work would cost more than waiting.
 */
const LONGEST_PAUSE_MS = 60_000;

/** Lets calls through when the account is not paused, a slot and memory are free, and quota has been booked. */
@Injectable()
export class CallAdmission {
  constructor(
    private readonly limiters: AccountLimiters,
    private readonly quota: QuotaBucket,
    private readonly pauses: AccountPauses,
  ) {}

  /**
   * Interactive calls wait until `deadline` (epoch milliseconds) at most, background and spare ones as long as it takes, except for a
   * long pause of the account.
   * @throws ProviderRateLimited past the deadline, and for a long pause; the signal's reason when it aborts
   */
  async admit(call: ProviderCall, units: number, deadline: number): Promise<Admission> {
    const waiting = linkedSignal(call.signal, deadline - Date.now(), () =>
      this.toRateLimited(call, BUSY_RETRY_MS),
    );
    try {
      return call.priority === 'interactive'
        ? await this.admitInteractive(call, units, deadline, waiting.signal)
        : await this.admitInBackground(call, units, deadline, waiting.signal);
    } finally {
      waiting.release();
    }
  }

  private async admitInteractive(
    call: ProviderCall,
    units: number,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Admission> {
    for (;;) {
      await this.waitOutPause(call, deadline, signal);
      const admission = await this.reserve(call, signal);
      let admitted = false;
      try {
        const taken = await this.quota.take(call.account, units, 'interactive', deadline - Date.now());
        if (taken.status === 'later') throw this.toRateLimited(call, taken.waitMs);
        if (taken.status === 'granted') {
          if (taken.waitMs > 0) await sleep(taken.waitMs, signal);
          admitted = true;
          return admission;
        }
        // Another process has paused the account: waited for without holding anything.
        this.pauses.observe(call.account.id, taken.waitMs);
      } finally {
        if (!admitted) admission.release();
      }
    }
  }

  private async admitInBackground(
    call: ProviderCall,
    units: number,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Admission> {
    const { account } = call;
    const turns = this.limiters.of(account).turn;
    const since = Date.now();
    const priority = (): 'background' | 'spare' =>
      call.priority === 'spare' && Date.now() - since < SPARE_WAIT_MS ? 'spare' : 'background';
    let turn = await turns.acquire(1, priority(), signal);
    try {
      let firstAsked: number | undefined;
      for (;;) {
        // No call was admitted during the pause.
        if (await this.waitOutPause(call, deadline, signal)) firstAsked = undefined;
        const rank = priority();
        const admission = await this.reserve({ ...call, priority: rank }, signal);
        let admitted = false;
        let askAgainMs = 0;
        try {
          // A spare call has not been passed over before its minute is up.
          if (rank === 'background') firstAsked ??= Date.now();
          const waitedMs = Date.now() - (firstAsked ?? Date.now());
          const taken = await this.quota.takeInBackground(account, units, waitedMs, rank, signal);
          if (taken.status === 'granted') {
            if (taken.waitMs > 0) await sleep(taken.waitMs, signal);
            admitted = true;
            return admission;
          }
          if (taken.status === 'paused') this.pauses.observe(account.id, taken.waitMs);
          else askAgainMs = taken.waitMs;
        } finally {
          if (!admitted) admission.release();
        }
        // Long waits hold nothing but the turn: memory is shared with the other accounts.
        if (rank === 'background' || askAgainMs === 0) {
          await sleep(askAgainMs, signal);
          continue;
        }
        // Background calls must not wait for a spare call's turn.
        turn.release();
        await sleep(askAgainMs, signal);
        turn = await turns.acquire(1, priority(), signal);
      }
    } finally {
      turn.release();
    }
  }

  private async reserve(call: ProviderCall, signal: AbortSignal): Promise<Admission> {
    const { slots, sequential } = this.limiters.of(call.account);
    const slot = await slots.acquire(sequential ? 1 : (call.calls ?? 1), call.priority, signal);
    try {
      const bytes = await this.limiters.bytes.acquire(call.expectedBytes ?? 0, call.priority, signal);
      return {
        slot,
        bytes,
        release: () => {
          slot.release();
          bytes.release();
        },
      };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /** @returns whether there was one */
  private async waitOutPause(call: ProviderCall, deadline: number, signal: AbortSignal): Promise<boolean> {
    for (let paused = false; ; paused = true) {
      const remaining = this.pauses.remainingMsOf(call.account.id);
      if (remaining <= 0) return paused;
      if (remaining > LONGEST_PAUSE_MS || Date.now() + remaining > deadline)
        throw this.toRateLimited(call, remaining);
      await sleep(remaining, signal);
    }
  }

  /** Builds the error: the provider's refusal while the account is paused for one, otherwise our own limit. */
  private toRateLimited(call: ProviderCall, waitMs: number): ProviderRateLimited {
    const pauseMs = this.pauses.remainingMsOf(call.account.id);
    const retryAt = new Date(Date.now() + Math.max(waitMs, pauseMs));
    return pauseMs > 0 ? new ProviderRateLimited(retryAt) : new RequestsPaced(retryAt);
  }
}
