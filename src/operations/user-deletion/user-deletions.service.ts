import { Injectable, Logger } from '@nestjs/common';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { describeError } from '../../platform/logging/describe-error';
import { JobsService, type StartedJob } from '../../platform/jobs/jobs.service';
import { UsersService } from '../../identity/users/users.service';
import { DeleteUser } from './delete-user.job';
import { OwnAccount } from './user-deletion.errors';
import { type PendingDeletion, UserDeletionsRepository } from './user-deletions.repository';
import { UserDeletionRequestService } from './user-deletion-request.service';

/** Makes sure that every user who is marked for deletion has a job that deletes them. */
@Injectable()
export class UserDeletionsService {
  private readonly logger = new Logger(UserDeletionsService.name);

  constructor(
    private readonly repository: UserDeletionsRepository,
    private readonly requests: UserDeletionRequestService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Locks the user out and starts the job that deletes them and all their data. Repeated, it returns the unfinished job, or
   * starts another one when the last one failed or was cancelled.
   * @param adminId the administrator who asks and owns the job
   * @throws ResourceNotFound, OwnAccount, LastActiveAdmin
   */
  async request(userId: string, adminId: string): Promise<StartedJob> {
    if (userId === adminId) throw new OwnAccount();
    return this.transactions.run(async (transaction) => {
      await this.requests.requestIn(userId, transaction);
      const jobId = await this.repository.openJob(DeleteUser.kind, userId, transaction);
      return jobId ? { jobId } : this.start(userId, adminId, transaction);
    });
  }

  /**
   * Starts jobs for deletions that have none, or whose job failed or was cancelled. A deletion that cannot be resumed now waits
   * for the next time and does not stop the others. @returns the number of jobs started
   */
  async resume(): Promise<number> {
    let resumed = 0;
    for (const pending of await this.repository.listPending(DeleteUser.kind)) {
      try {
        if (await this.resumeOne(pending)) resumed += 1;
      } catch (error) {
        // Most likely the administrator who would own the job is being deleted as well.
        this.logger.warn(
          `Could not resume the deletion of user ${pending.userId}: ${describeError(error).message}`,
        );
      }
    }
    return resumed;
  }

  private resumeOne({ userId, adminId }: PendingDeletion): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      // Several processes may resume, and an administrator may ask at this moment: only one of them starts the job.
      const user = await this.users.lockForDeletion(userId, transaction);
      if (!user?.deletionRequestedAt) return false;
      if (await this.repository.openJob(DeleteUser.kind, userId, transaction)) return false;
      await this.start(userId, adminId, transaction);
      return true;
    });
  }

  private start(userId: string, adminId: string, transaction: Transaction): Promise<StartedJob> {
    return this.jobs.start(DeleteUser, { userId: adminId, accountId: null }, { userId }, { transaction });
  }
}
