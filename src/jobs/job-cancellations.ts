import { Injectable } from '@nestjs/common';
import { Transaction, Transactions } from '../common/database/transactions';
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

  /** @param id of the record @returns false when there was nothing to cancel */
  async cancel(userId: string, id: string): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      const cancelled = await this.repository.cancelOwned(userId, id, transaction);
      if (cancelled) await this.conclude([cancelled], transaction);
      return cancelled !== null;
    });
  }

  /**
   * Cancels everything of a user that does not survive their deactivation: what waits is over at once, what runs is told
   * after the commit and stops at the end of its batch. Call it in the transaction that deactivates the user, after
   * their row was locked for update: whoever is starting a job at that moment is waited for, or refused.
   * @returns jobs cancelled
   */
  async cancelAllOf(userId: string, transaction: Transaction): Promise<number> {
    const cancelled = await this.repository.cancelAllOf(userId, false, transaction);
    await this.conclude(cancelled, transaction);
    return cancelled.length;
  }

  /** As `cancelAllOf`, whatever survives a deactivation included: for users who are deleted. */
  async cancelEverythingOf(userId: string, transaction: Transaction): Promise<number> {
    const cancelled = await this.repository.cancelAllOf(userId, true, transaction);
    await this.conclude(cancelled, transaction);
    return cancelled.length;
  }

  private async conclude(cancelled: readonly JobRecord[], transaction: Transaction): Promise<void> {
    for (const record of cancelled) if (record.completedAt) await this.audits.ended(record, transaction);
    transaction.afterCommit(() => cancelled.forEach((record) => this.tell(record)));
  }

  private tell(record: JobRecord): void {
    this.updates.publish(record);
    if (record.completedAt) this.metrics.finished(record);
    else this.updates.publishCancellation(record.id);
  }
}
