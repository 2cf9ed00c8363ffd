import { Injectable } from '@nestjs/common';
import { defineJob } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { JobReader } from '../../../platform/jobs/job-reader';
import { JobsService } from '../../../platform/jobs/jobs.service';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { mayStartAgain } from '../own-jobs';

/** The chore that looks for new mail; stored. */
export const KEEP_COPIES_CHORE = 'keep_copies';

/** Empty: the account is the job's own, and the ledger says what there is to do. */
export class KeepCopiesPayload {}

/** Its handler is in `keep-copies.job.ts`. */
export const KeepCopies = defineJob('keep_copies', {
  queue: JobQueue.Keep,
  payload: KeepCopiesPayload,
  // No user asked for this job; an event says that a mailbox is archived again.
  notifies: 'failure',
});

/** Starts jobs that copy backlogs, one at a time per account. */
@Injectable()
export class CopyJobs {
  constructor(
    private readonly reader: JobReader,
    private readonly jobs: JobsService,
  ) {}

  /** Starts a job unless one is under way, or the last one ended badly a short while ago. */
  async ensure(account: ProviderAccount, pending: number): Promise<void> {
    const last = await this.reader.findLast(account.id, KeepCopies.kind);
    if (last && !mayStartAgain(last, new Date())) return;
    // One of all callers that saw the same last job starts the next.
    const once = `keep ${account.id} after ${last?.number ?? 0}`;
    const owner = { userId: account.userId, accountId: account.id };
    await this.jobs.startIfPossible(KeepCopies, owner, {}, { once, total: pending });
  }
}
