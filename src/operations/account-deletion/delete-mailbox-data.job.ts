import { defineJob, HandlesJob, type JobHandler, type JobResult } from '../../platform/jobs/job-definition';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { Transactions } from '../../platform/database/transactions';
import { ResultCache } from '../../platform/redis/result-cache';
import { ImapIndexReset } from '../../providers/imap/sync/imap-index-reset';
import { AccountRowsRepository } from './account-rows.repository';
import { DeleteMailboxDataRun } from './delete-mailbox-data.run';

/** Empty payload: the job has the account. */
export class DeleteMailboxDataPayload {}

export const DeleteMailboxData = defineJob('delete_mailbox_data', {
  queue: JobQueue.Maintenance,
  payload: DeleteMailboxDataPayload,
  notifies: 'failure',
  // The deletion was promised when the mailbox was disconnected.
  survivesDeactivation: true,
  // The service itself starts another one, unless the mailbox has been connected again.
  resumes: false,
});

/** Deletes the data read from a mailbox that has been disconnected; see `DeleteMailboxDataRun`. */
@HandlesJob(DeleteMailboxData)
export class DeleteMailboxDataHandler implements JobHandler<DeleteMailboxDataPayload> {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly index: MessageIndexService,
    private readonly imapIndex: ImapIndexReset,
    private readonly results: ResultCache,
    private readonly transactions: Transactions,
  ) {}

  async run(_payload: DeleteMailboxDataPayload, job: JobContext): Promise<JobResult> {
    // The account, with all its data, has been deleted since the job was started.
    if (job.accountId === null) return { rows: 0 };
    const { rows, index, imapIndex, results, transactions } = this;
    return new DeleteMailboxDataRun(job.accountId, job, {
      rows,
      index,
      imapIndex,
      results,
      transactions,
    }).run();
  }
}
