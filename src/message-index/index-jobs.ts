import { Injectable } from '@nestjs/common';
import { defineJob } from '../jobs/job-definition';
import { JobQueue } from '../jobs/job-queue';
import { OWNER_DEACTIVATED } from '../jobs/jobs.errors';
import { JobsService } from '../jobs/jobs.service';
import type { ProviderAccount } from '../mail-provider/mailbox-provider.port';
import { IndexJobsRepository, LastIndexJob } from './index-jobs.repository';

/** The account says it all. */
export class IndexMailboxPayload {}

/** Apart from its handler, which is far down the chain of those who start it. */
export const IndexMailbox = defineJob('index_mailbox', {
  queue: JobQueue.Index,
  payload: IndexMailboxPayload,
  // Nobody asked for it, and what reads the index says when it cannot.
  notifies: 'never',
});

const FAILED_REST_SECONDS = 10 * 60;
/** Whoever cancels it does not want it back at the next click. */
const CANCELLED_REST_SECONDS = 24 * 60 * 60;

/** Has mailboxes indexed in the background, one job at a time per account. */
@Injectable()
export class IndexJobs {
  constructor(
    private readonly repository: IndexJobsRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Starts a job unless one is under way or the last one ended badly a short while ago. */
  async start(account: ProviderAccount): Promise<void> {
    const last = await this.repository.findLast(account.id, IndexMailbox.kind);
    if (last && !mayFollow(last)) return;
    // Of all who saw the same last job one starts the next.
    const once = `index ${account.id} after ${last?.number ?? 0}`;
    await this.jobs.start(IndexMailbox, { userId: account.userId, accountId: account.id }, {}, { once });
  }
}

/** Whether it is time for another job after this one. */
export function mayFollow({ open, status, errorCode, gaveUp, endedSecondsAgo }: LastIndexJob): boolean {
  if (open) return false;
  // A user who is back wants back what they had.
  if (errorCode === OWNER_DEACTIVATED.code) return true;
  const rested = endedSecondsAgo ?? 0;
  if (status === 'failed' || gaveUp) return rested >= FAILED_REST_SECONDS;
  if (status === 'cancelled') return rested >= CANCELLED_REST_SECONDS;
  return true;
}
