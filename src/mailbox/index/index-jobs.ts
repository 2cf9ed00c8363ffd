import { Injectable } from '@nestjs/common';
import { defineJob } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { JobReader } from '../../platform/jobs/job-reader';
import type { JobRecord } from '../../platform/jobs/job-record';
import { OWNER_DEACTIVATED } from '../../platform/jobs/jobs.errors';
import { JobsService } from '../../platform/jobs/jobs.service';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';

/** Empty payload: the account is that of the job. */
export class IndexMailboxPayload {}

/**
 * Job that indexes a mailbox. Its handler is in `index-mailbox.job.ts`: here it would import, through the indexer, the
 * service that starts it.
 */
export const IndexMailbox = defineJob('index_mailbox', {
  queue: JobQueue.Index,
  payload: IndexMailboxPayload,
  // No user asked for it, and the features that read the index report their own errors.
  notifies: 'never',
});

const FAILED_REST_MS = 10 * 60_000;
/** Pause after a cancelled job, in milliseconds. A user who cancels it does not want it back at once. */
const CANCELLED_REST_MS = 24 * 60 * 60_000;

/** Starts jobs that index mailboxes in the background, one at a time per account. */
@Injectable()
export class IndexJobs {
  constructor(
    private readonly reader: JobReader,
    private readonly jobs: JobsService,
  ) {}

  /** Starts a job unless one is under way, or the last one failed or was cancelled recently. */
  async start(account: ProviderAccount): Promise<void> {
    const last = await this.reader.findLast(account.id, IndexMailbox.kind);
    if (last && !mayStartAfter(last, new Date())) return;
    // Only one of the callers that saw the same last job starts the next.
    const once = `index ${account.id} after ${last?.number ?? 0}`;
    await this.jobs.startIfPossible(
      IndexMailbox,
      { userId: account.userId, accountId: account.id },
      {},
      { once },
    );
  }
}

/** Whether another job may start after this one. */
export function mayStartAfter(
  {
    status,
    errorCode,
    result,
    completedAt,
  }: Pick<JobRecord, 'status' | 'errorCode' | 'result' | 'completedAt'>,
  now: Date,
): boolean {
  if (completedAt === null) return false;
  // A user who is active again gets their index back.
  if (errorCode === OWNER_DEACTIVATED.code) return true;
  const restedMs = now.getTime() - new Date(completedAt).getTime();
  const isIncomplete = status === 'completed' && result?.complete === false;
  if (status === 'failed' || isIncomplete) return restedMs >= FAILED_REST_MS;
  if (status === 'cancelled') return restedMs >= CANCELLED_REST_MS;
  return true;
}
