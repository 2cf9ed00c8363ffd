import { Injectable } from '@nestjs/common';
import { Transaction, Transactions } from '../database/transactions';
import { JobAudits } from './job-audits';
import { JobUpdates } from './job-updates';
import { JobMetrics } from './job-metrics';
import { JobsRepository } from './jobs.repository';
import type { JobRecord } from './job-record';

/** Stops jobs, in whichever process they run. */
@Injectable()
export class JobCancellations {
  constructor(
    private readonly repository: JobsRepository,
    private readonly updates: JobUpdates,
    private readonly metrics: JobMetrics,
    private readonly audits: JobAudits,
    private readonly transactions: Transactions,
  ) {}

  /** @param id id of the record @returns false when there was nothing to cancel */
  async cancel(userId: string, id: string): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      const cancelled = await this.repository.cancelOwned(userId, id, transaction);
      if (cancelled) await this.conclude([cancelled], transaction);
      return cancelled !== null;
    });
  }

  /**
   * Cancels all jobs of a user that do not survive their deactivation: pending jobs end at once; running jobs learn of it
   * after the commit and stop at the end of their batch. Call it in the transaction that deactivates the user, after
   * their row was locked for update: a job that is being started at that moment is waited for, or refused.
   * @returns jobs cancelled
   */
  async cancelAllOf(userId: string, transaction: Transaction): Promise<number> {
    const cancelled = await this.repository.cancelAllOf(userId, false, transaction);
    await this.conclude(cancelled, transaction);
    return cancelled.length;
  }

  /** Cancels the jobs that `cancelAllOf` cancels, and those that survive a deactivation: for users who are deleted. */
  async cancelEverythingOf(userId: string, transaction: Transaction): Promise<number> {
    const cancelled = await this.repository.cancelAllOf(userId, true, transaction);
    await this.conclude(cancelled, transaction);
    return cancelled.length;
  }

  private async conclude(cancelled: readonly JobRecord[], transaction: Transaction): Promise<void> {
    for (const record of cancelled) if (record.completedAt) await this.audits.recordEnd(record, transaction);
    transaction.afterCommit(() => cancelled.forEach((record) => this.publish(record)));
  }

  private publish(record: JobRecord): void {
    this.updates.publish(record);
    if (record.completedAt) this.metrics.recordEnd(record);
    else this.updates.publishCancellation(record.id);
  }
}
