import { Injectable, Logger, Optional } from '@nestjs/common';
import { Transaction, Transactions } from '../common/database/transactions';
import { JobAudits } from './job-audits';
import { JobFinishedListener } from './job-finished-listener.port';
import type { JobRecord } from './job-record';
import { describeFailure } from './jobs.errors';
import { JobLeasesRepository, JobOutcome, Lease } from './job-leases.repository';
import { JobRegistry } from './job-registry';

const isTransient = (error: unknown): boolean => describeFailure(error).transient;

/** Where jobs end for good: the end is written and told in one transaction. */
@Injectable()
export class JobCompletion {
  private readonly logger = new Logger(JobCompletion.name);

  constructor(
    private readonly leases: JobLeasesRepository,
    private readonly registry: JobRegistry,
    private readonly audits: JobAudits,
    private readonly transactions: Transactions,
    @Optional() private readonly endings?: JobFinishedListener,
  ) {}

  /**
   * Ends a job of the user; a cancellation that came first stands. null when the lease is lost.
   * @param options `mustTell`: it does not end either while telling its owner fails for the moment only
   */
  async finish(
    userId: string,
    lease: Lease,
    outcome: JobOutcome,
    { mustTell }: { mustTell: boolean },
  ): Promise<JobRecord | null> {
    return this.transactions.run(async (transaction) => {
      await this.leases.lockOwner(userId, transaction);
      const record = await this.leases.finish(lease, outcome, transaction);
      if (record) {
        await this.tell(record, transaction, { orThrow: (error) => mustTell && isTransient(error) });
      }
      if (record) await this.audits.ended(record, transaction);
      return record;
    });
  }

  /** Jobs whose process is gone: back to pending, given up after too many losses, or ended when cancelled. */
  async recoverLost(): Promise<JobRecord[]> {
    const recovered = await this.leases.recoverLost();
    const ended = await this.orNextTime([], () => this.endCancelled());
    const givenUp: JobRecord[] = [];
    for (const { id, userId } of await this.leases.findExhausted()) {
      const record = await this.orNextTime(null, () => this.giveUp(userId, id));
      if (record) givenUp.push(record);
    }
    return [...recovered, ...ended, ...givenUp];
  }

  /** One job that cannot be ended just now keeps nobody else from going on. */
  private async orNextTime<T>(nothing: T, end: () => Promise<T>): Promise<T> {
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
      for (const record of ended) await this.audits.ended(record, transaction);
      return ended;
    });
  }

  private async giveUp(userId: string, id: string): Promise<JobRecord | null> {
    return this.transactions.run(async (transaction) => {
      await this.leases.lockOwner(userId, transaction);
      const record = await this.leases.giveUp(id, transaction);
      // No attempt is left to count: this has to end here.
      if (record) await this.tell(record, transaction, { orThrow: () => false });
      if (record) await this.audits.ended(record, transaction);
      return record;
    });
  }

  private async tell(
    record: JobRecord,
    transaction: Transaction,
    options: { orThrow: (error: unknown) => boolean },
  ): Promise<void> {
    const { endings } = this;
    if (!endings || !this.isAnnounced(record)) return;
    try {
      await transaction.attempt(() => endings.onEnd(record, transaction));
    } catch (error) {
      if (options.orThrow(error)) throw error;
      // Would fail again next time: rather a job nobody is told of than one that never ends, or runs again.
      this.logger.error(error, `The end of ${record.jobId} could not be told`);
    }
  }

  private isAnnounced({ status, type }: JobRecord): boolean {
    // A kind of another version of the service can only fail here; whoever started it should know.
    const notifies = this.registry.find(type)?.definition.notifies ?? 'every-end';
    if (status === 'completed') return notifies === 'every-end';
    return status === 'failed' && notifies !== 'never';
  }
}
