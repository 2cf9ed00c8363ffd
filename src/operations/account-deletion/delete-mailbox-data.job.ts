import { defineJob, HandlesJob, type JobHandler, type JobResult } from '../../platform/jobs/job-definition';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { MailboxDataDeletion } from './mailbox-data-deletion';

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

/** Deletes the data read from a mailbox that has been disconnected; see `MailboxDataDeletion`. */
@HandlesJob(DeleteMailboxData)
export class DeleteMailboxDataHandler implements JobHandler<DeleteMailboxDataPayload> {
  constructor(private readonly deletion: MailboxDataDeletion) {}

  /** @returns `rows`: number of rows deleted */
  async run(_payload: DeleteMailboxDataPayload, job: JobContext): Promise<JobResult> {
    // The account, with all its data, has been deleted since the job was started.
    if (job.accountId === null) return { rows: 0 };
    const rows = await this.deletion.delete(job.userId, job.accountId, () => job.throwIfCancelled());
    return { rows };
  }
}
