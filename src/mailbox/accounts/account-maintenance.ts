import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { LeaseWorker, usersAtLimit } from '../../platform/database/lease-worker';
import type { Transaction } from '../../platform/database/transactions';
import { withLogContext } from '../../platform/logging/log-context';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import {
  AccountMaintenanceRepository,
  type ClaimableTask,
  ClaimedAccount,
} from './account-maintenance.repository';
import { timeoutSignal } from '../../platform/concurrency/timers';

/** Accounts for which a process performs a task at once: few, so that processes share the work. */
const CONCURRENCY = 4;
/** Accounts of one user among them: one slot is left to other users when a provider does not answer. */
const PER_USER = CONCURRENCY - 1;
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
/**
 * Timeout of a task for one account, in milliseconds. A provider that asks for an hour must not keep the others
 * waiting.
 */
const TASK_TIMEOUT_MS = 60_000;
/**
 * Time that a shutdown waits for tasks that ignore their signal, in milliseconds. Their accounts are due again when the
 * leases have ended.
 */
const SHUTDOWN_WAIT_MS = 5_000;

/** Longer interval that a task may return when it has nothing to do; see `AccountMaintenance.makeDue`. */
export interface MaintenanceRest {
  readonly dueAgainInSeconds: number;
}

export interface MaintenanceTask extends ClaimableTask {
  readonly everySeconds: number;
  /**
   * Performs the task for one account. A failure is logged, and the task is due again after the same time. Repeating it
   * must be harmless.
   * @param signal aborted when the process stops or the task takes too long; a task that the stop interrupts is due at
   *   once, for another process
   */
  readonly perform: (account: ProviderAccount, signal: AbortSignal) => Promise<MaintenanceRest | void>;
}

/**
 * Performs small tasks for every usable account at regular intervals. They are not jobs, as users would find hundreds
 * of them in their list every day. The table says what is due, so any number of processes may call. See ADR 10.
 */
@Injectable()
export class AccountMaintenance implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AccountMaintenance.name);
  private readonly workers = new Set<LeaseWorker<ClaimedAccount>>();
  private stopping = false;

  constructor(private readonly repository: AccountMaintenanceRepository) {}

  /** Performs the task for all accounts for which it is due. @returns number of these accounts */
  async performDue(task: MaintenanceTask): Promise<number> {
    if (this.stopping) return 0;
    await this.repository.addMissing(task);
    let performed = 0;
    const worker = new LeaseWorker<ClaimedAccount>({
      slots: CONCURRENCY,
      // Claims one account at a time, since the next one depends on the users whose tasks are under way.
      claim: async (_free, running) => {
        const users = running.map(({ account }) => account.userId);
        const claimed = await this.repository.claimNext(task, usersAtLimit(PER_USER, users), LEASE_MS);
        return claimed ? [claimed] : [];
      },
      run: async (claimed, signal) => {
        performed += 1;
        await this.perform(task, claimed, signal);
      },
      heartbeat: {
        leaseMs: LEASE_MS,
        everyMs: HEARTBEAT_MS,
        leaseOf: ({ lease }) => lease,
        renew: (leases) => this.repository.renew(leases, LEASE_MS),
      },
      logger: this.logger,
    });
    if (this.stopping) return 0;
    this.workers.add(worker);
    try {
      await worker.drain();
    } finally {
      this.workers.delete(worker);
    }
    return performed;
  }

  /** Makes the next call of `performDue` perform the task for an account, however long it was to rest. */
  async makeDue(task: MaintenanceTask['name'], accountId: string, transaction: Transaction): Promise<void> {
    await this.repository.makeDue(task, accountId, transaction);
  }

  /** Lists the accounts of these providers that may be used now. */
  listUsable(providers: readonly string[], most: number): Promise<ProviderAccount[]> {
    return this.repository.listUsable(providers, most);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.workers].map((worker) => worker.stop({ abortMs: SHUTDOWN_WAIT_MS })));
  }

  /** Performs the task for one account. A failure must not keep the others waiting. */
  private async perform(
    task: MaintenanceTask,
    { account, lease }: ClaimedAccount,
    interrupted: AbortSignal,
  ): Promise<void> {
    const signal = AbortSignal.any([interrupted, timeoutSignal(TASK_TIMEOUT_MS)]);
    const dueAgain = await withLogContext({ userId: account.userId, accountId: account.id }, async () => {
      try {
        signal.throwIfAborted();
        const rest = await task.perform(account, signal);
        if (rest) return rest.dueAgainInSeconds;
      } catch (error) {
        if (interrupted.aborted) return 0;
        this.logger.warn(`${task.name} failed, will retry later: ${String(error)}`);
      }
      return task.everySeconds;
    });
    await this.repository.reschedule(lease, dueAgain);
  }
}
