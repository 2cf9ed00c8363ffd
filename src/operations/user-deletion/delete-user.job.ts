import { IsUUID } from 'class-validator';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { ImportUploadsService } from '../../archive/imports/import-uploads.service';
import { ArchiveDeletionService } from '../../archive/mails/archive-deletion.service';
import { UsersService } from '../../identity/users/users.service';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { GrantRevocations } from '../../mailbox/connect/grant-revocations';
import { Transactions } from '../../platform/database/transactions';
import { JobCancellations } from '../../platform/jobs/job-cancellations';
import { AccountRowsService } from '../account-deletion/account-rows.service';
import { DeleteUserRun } from './delete-user.run';
import { UserDeletionTimings } from './user-deletion-timings';
import { UserDeletionsRepository } from './user-deletions.repository';
import { UserRedisKeys } from './user-redis-keys';
import { UserRowsService } from './user-rows.service';

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
 * Deletes a user who is marked for deletion; see `DeleteUserRun`. It has 13 dependencies because it deletes everything that
 * belongs to the user.
 */
@HandlesJob(DeleteUser)
export class DeleteUserHandler implements JobHandler<DeleteUserPayload> {
  constructor(
    private readonly repository: UserDeletionsRepository,
    private readonly users: UsersService,
    private readonly accounts: MailboxAccountsService,
    private readonly grants: GrantRevocations,
    private readonly archive: ArchiveDeletionService,
    private readonly uploads: ImportUploadsService,
    private readonly accountRows: AccountRowsService,
    private readonly userRows: UserRowsService,
    private readonly redisKeys: UserRedisKeys,
    private readonly cancellations: JobCancellations,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly timings: UserDeletionTimings,
  ) {}

  async run({ userId }: DeleteUserPayload, job: JobContext): Promise<JobResult> {
    const { repository, users, accounts, grants, archive, uploads, accountRows } = this;
    const { userRows, redisKeys, cancellations, audit, transactions, timings } = this;
    return new DeleteUserRun(userId, job, {
      ...{ repository, users, accounts, grants, archive, uploads, accountRows },
      ...{ userRows, redisKeys, cancellations, audit, transactions, timings },
    }).run();
  }
}
