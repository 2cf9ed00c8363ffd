import { Injectable, Logger, Optional } from '@nestjs/common';
import { Transaction, Transactions } from '../database/transactions';
import type { Lease } from '../database/leased-rows';
import { JobAudits } from './job-audits';
import { JobFinishedListener } from './job-finished-listener.port';
import type { JobRecord } from './job-record';
import { describeFailure } from './jobs.errors';
import { JobLeasesRepository, JobOutcome } from './job-leases.repository';
import { JobRegistry } from './job-registry';

const isTransient = (error: unknown): boolean => describeFailure(error).transient;

/** Ends jobs for good: one transaction writes the end and notifies the owner. */
@Injectable()
export class JobCompletion {
  private readonly logger = new Logger(JobCompletion.name);

  constructor(
    private readonly leases: JobLeasesRepository,
    private readonly registry: JobRegistry,
    private readonly audits: JobAudits,
    private readonly transactions: Transactions,
    @Optional() private readonly listener?: JobFinishedListener,
  ) {}

  /**
   * Ends a job of the user; a cancellation that came first stands.
   * @param options `mustNotify`: when notifying the owner fails temporarily, the job is not ended, and the error is thrown
   *   so that the caller can retry
   * @returns null when the lease is lost
   */
  async finish(
    userId: string,
    lease: Lease,
    outcome: JobOutcome,
    { mustNotify }: { mustNotify: boolean },
  ): Promise<JobRecord | null> {
    return this.transactions.run(async (transaction) => {
      await this.leases.lockOwner(userId, transaction);
      const record = await this.leases.finish(lease, outcome, transaction);
      if (record) {
        await this.notify(record, transaction, { throwsOn: (error) => mustNotify && isTransient(error) });
      }
      if (record) await this.audits.recordEnd(record, transaction);
      return record;
    });
  }

  /** Recovers jobs whose process is gone: they are pending again, failed after too many losses, or ended if cancelled. */
  async recoverLost(): Promise<JobRecord[]> {
    const recovered = await this.leases.recoverLost();
    const ended = await this.endOrLog([], () => this.endCancelled());
    const failed: JobRecord[] = [];
    for (const { id, userId } of await this.leases.findExhausted()) {
      const record = await this.endOrLog(null, () => this.failExhausted(userId, id));
      if (record) failed.push(record);
    }
    return [...recovered, ...ended, ...failed];
  }

  /** Logs an error and returns `nothing`, so that a job that cannot be ended now does not stop the others from being ended. */
  private async endOrLog<T>(nothing: T, end: () => Promise<T>): Promise<T> {
    try {
      return await end();
    } catch (error) {
      this.logger.error(error, 'The end of lost jobs could not be written');
      return nothing;
    }
  }

  private async endCancelled(): Promise<JobRecord[]> {
    return this.transactions.run(async (transaction) => {
      const ended = await this.leases.endLostCancelled(transaction);
      for (const record of ended) await this.audits.recordEnd(record, transaction);
      return ended;
    });
  }

  private async failExhausted(userId: string, id: string): Promise<JobRecord | null> {
    return this.transactions.run(async (transaction) => {
      await this.leases.lockOwner(userId, transaction);
      const record = await this.leases.failExhausted(id, transaction);
      // No attempt is left, so the job has to end here, whether its owner can be notified or not.
      if (record) await this.notify(record, transaction, { throwsOn: () => false });
      if (record) await this.audits.recordEnd(record, transaction);
      return record;
    });
  }

  private async notify(
    record: JobRecord,
    transaction: Transaction,
    options: { throwsOn: (error: unknown) => boolean },
  ): Promise<void> {
    const { listener } = this;
    if (!listener || !this.mayNotify(record)) return;
    try {
      await transaction.runInSavepoint(() => listener.onFinished(record, transaction));
    } catch (error) {
      if (options.throwsOn(error)) throw error;
      // It would fail again next time: better no notification than a job that never ends, or runs again.
      this.logger.error(error, `Could not notify the owner that job ${record.jobId} ended`);
    }
  }

  private mayNotify({ status, type }: JobRecord): boolean {
    // A kind of another version of the service can only fail here; the user who started it should know.
    const notifies = this.registry.find(type)?.definition.notifies ?? 'every-end';
    if (status === 'completed') return notifies === 'every-end';
    return status === 'failed' && notifies !== 'never';
  }
}
