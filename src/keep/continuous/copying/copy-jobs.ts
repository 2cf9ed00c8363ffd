import { Injectable } from '@nestjs/common';
import { JobReader } from '../../../platform/jobs/job-reader';
import { JobsService } from '../../../platform/jobs/jobs.service';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { mayStartAgain } from '../own-jobs';
import { KeepCopies } from './keep-copies.job';

/** The chore that looks for new mail; stored. */
export const KEEP_COPIES_CHORE = 'keep_copies';

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
