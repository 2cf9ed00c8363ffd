import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions';
import { definedJobs } from '../jobs/job-definition';
import { JobFinishedListener } from '../jobs/job-finished-listener.port';
import type { JobRecord } from '../jobs/job-record';
import { EventDispatcher } from './event-dispatcher';

/** Dispatches the ends of jobs as events. */
@Injectable()
export class JobFinishedEvents extends JobFinishedListener {
  constructor(private readonly events: EventDispatcher) {
    super();
  }

  async onFinished(record: JobRecord, transaction: Transaction): Promise<void> {
    await this.events.dispatch(
      {
        type: record.status === 'completed' ? 'job.completed' : 'job.failed',
        // The same key for success and failure: a job ends once, and once more each time it was taken up again.
        key: `job-end:${record.id}${record.resumptions > 0 ? `:${record.resumptions}` : ''}`,
        userId: record.userId,
        data: {
          jobId: record.jobId,
          type: record.type,
          status: record.status,
          accountId: record.accountId,
          total: record.total,
          processed: record.processed,
          failed: record.failed,
          error: record.error,
          ...(record.errorCode !== null && { errorCode: record.errorCode }),
          ...(isTrialRun(record) && { trialRun: true }),
        },
      },
      transaction,
    );
  }
}

const isTrialRun = ({ type, result }: JobRecord): boolean =>
  definedJobs()
    .find(({ kind }) => kind === type)
    ?.isTrialRun?.(result ?? {}) === true;
