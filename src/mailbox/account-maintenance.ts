import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { forEachConcurrently } from '../common/concurrency/for-each-concurrently';
import { withLogContext } from '../common/logging/log-context';
import type { ProviderAccount } from '../mail-provider/mailbox-provider.port';
import { AccountMaintenanceRepository } from './account-maintenance.repository';

/** Accounts taken at a time: short, so that processes share the work. */
const BATCH = 20;
const CONCURRENCY = 4;
/** Longer than a batch takes; the accounts of a process that was killed are due again after it. */
const LEASE_SECONDS = 15 * 60;
/** For one account; a provider that tells it to wait for an hour must not keep the others waiting. */
const PATIENCE_MS = 60_000;
/** For chores that do not listen; what they leave behind is due again after the lease. */
const SHUTDOWN_PATIENCE_MS = 5_000;

export interface MaintenanceTask {
  /** Stored; never renamed. */
  readonly name: string;
  readonly everySeconds: number;
  /**
   * What fails is logged and due again after the same time.
   * @param signal aborted when the process is to end, and when it takes too long; what the end of the process
   *   interrupts is due at once, for another process
   */
  readonly perform: (account: ProviderAccount, signal: AbortSignal) => Promise<void>;
}

/**
 * Small things done for every usable account at regular intervals. They are no jobs: people would find hundreds of
 * them in their list every day. The table says what is due, so any number of processes may call.
 */
@Injectable()
export class AccountMaintenance implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AccountMaintenance.name);
  private readonly ending = new AbortController();
  private readonly rounds = new Set<Promise<number>>();

  constructor(private readonly repository: AccountMaintenanceRepository) {}

  /** Performs the chore for all accounts for which it is due. @returns how many that were */
  async performDue(chore: MaintenanceTask): Promise<number> {
    const round = this.performRound(chore);
    this.rounds.add(round);
    try {
      return await round;
    } finally {
      this.rounds.delete(round);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    const over = new AbortController();
    const patience = delay(SHUTDOWN_PATIENCE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.rounds), patience]);
    over.abort();
  }

  private async performRound(chore: MaintenanceTask): Promise<number> {
    let done = 0;
    if (this.ending.signal.aborted) return done;
    await this.repository.addMissing(chore.name);
    while (!this.ending.signal.aborted) {
      const accounts = await this.repository.claimDue(chore.name, LEASE_SECONDS, BATCH);
      await forEachConcurrently(accounts, CONCURRENCY, (account) => this.perform(chore, account));
      done += accounts.length;
      if (accounts.length < BATCH) break;
    }
    return done;
  }

  /** One account's trouble must not keep the others waiting. */
  private async perform(chore: MaintenanceTask, account: ProviderAccount): Promise<void> {
    // A signal per account: what listens to it goes with it.
    const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const dueAgain = await withLogContext({ userId: account.userId, accountId: account.id }, async () => {
      try {
        signal.throwIfAborted();
        await chore.perform(account, signal);
      } catch (error) {
        if (this.ending.signal.aborted) return 0;
        this.logger.warn(`${chore.name} failed, due again later: ${String(error)}`);
      }
      return chore.everySeconds;
    });
    await this.repository.settle(account.id, chore.name, dueAgain);
  }
}
