import { IsUUID } from 'class-validator';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { DeletionProgress, type DeletionState } from './deletion-progress';
import { UserAccountsDeletionService } from './user-accounts-deletion.service';
import { UserDataDeletionService } from './user-data-deletion.service';

export class DeleteUserPayload {
  @IsUUID()
  userId: string;
}

/**
 * The job is owned by the administrator who asked for it. It continues when they are deactivated: the deletion was promised to
 * the user.
 */
export const DeleteUser = defineJob('delete_user', {
  queue: JobQueue.Maintenance,
  payload: DeleteUserPayload,
  // The service itself starts another one within the hour.
  resumes: false,
  survivesDeactivation: true,
});

/**
 * Deletes a user who is marked for deletion. Every step can be repeated and works on what it finds; checkpoints hold
 * counts only. Files in stores that may be unavailable come last, directly before the user's row, which keeps the
 * configuration of those stores; everything else is deleted by then.
 */
@HandlesJob(DeleteUser)
export class DeleteUserHandler implements JobHandler<DeleteUserPayload> {
  constructor(
    private readonly accounts: UserAccountsDeletionService,
    private readonly data: UserDataDeletionService,
  ) {}

  async run({ userId }: DeleteUserPayload, job: JobContext): Promise<JobResult> {
    const progress = new DeletionProgress(job, job.savedCheckpoint<DeletionState>());
    if (await this.data.isPending(userId)) {
      await this.data.stopJobs(userId, job);
      await progress.begin(await this.accounts.sizeOf(userId));
      await this.accounts.disconnect(userId, progress, job);
      await this.data.deleteUploads(userId, progress);
      await this.accounts.delete(userId, progress, job);
      await this.data.deleteRows(userId, job);
      await this.data.deleteFiles(userId, progress, job);
      job.throwIfCancelled();
      await this.data.deleteUser(userId, progress.counts);
    }
    // Repeated when an earlier attempt deleted the row: no other job would delete these.
    await this.data.deleteTraces(userId);
    return progress.counts;
  }
}
