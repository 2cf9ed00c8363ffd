import { IsUUID } from 'class-validator';
import type { JobContext } from '../jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../jobs/job-definition';
import { JobQueue } from '../jobs/job-queue';
import { DeletionProgress } from './deletion-progress';
import { UserAccountsDeletionService } from './user-accounts-deletion.service';
import { UserDataDeletionService } from './user-data-deletion.service';

export class DeleteUserPayload {
  @IsUUID()
  userId: string;
}

/** Owned by the administrator who asked. It is owed to the user, not to them: it goes on when they are deactivated. */
export const DeleteUser = defineJob('delete_user', {
  queue: JobQueue.Maintenance,
  payload: DeleteUserPayload,
  survivesDeactivation: true,
});

/**
 * Removes a user who is marked for deletion. Every step can be repeated, and what it finds decides what there is to do:
 * the checkpoints hold counts only. Files in stores that may be away come last, directly before the user's row, which
 * keeps what is needed to reach them; everything else is gone by then.
 */
@HandlesJob(DeleteUser)
export class DeleteUserHandler implements JobHandler<DeleteUserPayload> {
  constructor(
    private readonly accounts: UserAccountsDeletionService,
    private readonly removal: UserDataDeletionService,
  ) {}

  async run({ userId }: DeleteUserPayload, job: JobContext): Promise<JobResult> {
    const tally = new DeletionProgress(job);
    if (await this.removal.isOwed(userId)) {
      await this.removal.stopJobs(userId, job);
      await tally.begin(await this.accounts.sizeOf(userId));
      await this.accounts.disconnect(userId, tally, job);
      await this.removal.removeUploads(userId, tally);
      await this.accounts.remove(userId, tally, job);
      await this.removal.removeRows(userId, job);
      await this.removal.removeFiles(userId, tally, job);
      job.throwIfCancelled();
      await this.removal.complete(userId, tally.counts);
    }
    // Also when an earlier attempt got as far as the row: nobody else would look here again.
    await this.removal.removeTraces(userId);
    return tally.counts;
  }
}
