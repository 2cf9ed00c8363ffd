import { Injectable, Logger } from '@nestjs/common';
import { Transaction, Transactions } from '../common/database/transactions';
import { JobsService, type StartedJob } from '../jobs/jobs.service';
import { describeError } from '../common/logging/describe-error';
import { DeleteUser } from './delete-user.job';
import { OwnAccount } from './user-deletion.errors';
import { type PendingDeletion, UserDeletionsRepository } from './user-deletions.repository';
import { UserDeletionRequestService } from './user-deletion-request.service';

/** Sees to it that a user who is marked for deletion has a job that does it. */
@Injectable()
export class UserDeletionsService {
  private readonly logger = new Logger(UserDeletionsService.name);

  constructor(
    private readonly repository: UserDeletionsRepository,
    private readonly lockOut: UserDeletionRequestService,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Locks the user out and starts the job that removes everything of theirs. Asked for again, it answers the job that is
   * at it, or starts another when the last one came to nothing.
   * @param adminId who asks, and owns the job
   * @throws ResourceNotFound, OwnAccount, LastActiveAdmin
   */
  async request(userId: string, adminId: string): Promise<StartedJob> {
    if (userId === adminId) throw new OwnAccount();
    return this.transactions.run(async (transaction) => {
      await this.lockOut.apply(userId, transaction);
      const jobId = await this.repository.openJob(DeleteUser.kind, userId, transaction);
      return jobId ? { jobId } : this.start(userId, adminId, transaction);
    });
  }

  /**
   * Takes up deletions that have no job, or whose job failed or was cancelled. One that cannot be taken up now is left to
   * the next time, and keeps none of the others. @returns how many
   */
  async resume(): Promise<number> {
    let resumed = 0;
    for (const owed of await this.repository.listOwed(DeleteUser.kind)) {
      try {
        if (await this.takeUp(owed)) resumed += 1;
      } catch (error) {
        // Above all: the administrator it was to go on for is just being deleted as well.
        this.logger.warn(
          `The deletion of user ${owed.userId} was not taken up: ${describeError(error).message}`,
        );
      }
    }
    return resumed;
  }

  private takeUp({ userId, adminId }: PendingDeletion): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      // Of several processes, and an administrator who asks at this moment, one starts the job.
      if (!(await this.repository.lock(userId, transaction))) return false;
      if (await this.repository.openJob(DeleteUser.kind, userId, transaction)) return false;
      await this.start(userId, adminId, transaction);
      return true;
    });
  }

  private start(userId: string, adminId: string, transaction: Transaction): Promise<StartedJob> {
    return this.jobs.start(DeleteUser, { userId: adminId, accountId: null }, { userId }, { transaction });
  }
}
