import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import {
  ArchiveStoreEndless,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
} from '../../archive/files/archive-store.errors';
import { ArchiveDeletionService } from '../../archive/mails/archive-deletion.service';
import { Transactions } from '../../platform/database/transactions';
import type { DomainError } from '../../platform/http/domain-error';
import { ImportUploadsService } from '../../archive/imports/import-uploads.service';
import { JobCancellations } from '../../platform/jobs/job-cancellations';
import type { JobContext } from '../../platform/jobs/job-definition';
import { UsersService } from '../../identity/users/users.service';
import type { DeletionProgress } from './deletion-progress';
import { UserFilesRemain, UserStillBusy } from './user-deletion.errors';
import { UserDeletionsRepository } from './user-deletions.repository';
import { UserRedisKeys } from './user-redis-keys';
import { UserRowsService } from './user-rows.service';
import { delay as sleep } from '../../platform/concurrency/timers';

/** Intervals of a deletion, in milliseconds; tests inject shorter ones. */
export class UserDeletionTimings {
  /** Time for cancelled jobs of the user to end their batch before the deletion is put off. */
  readonly stopJobsMs: number = 10_000;
  /** Interval at which the jobs are checked. */
  readonly pollMs: number = 500;
}

/**
 * Deletes a user and all their data except mailboxes. It has ten dependencies because everything that belongs to a user is
 * deleted here.
 */
@Injectable()
export class UserDataDeletionService {
  constructor(
    private readonly repository: UserDeletionsRepository,
    private readonly users: UsersService,
    private readonly rows: UserRowsService,
    private readonly cancellations: JobCancellations,
    private readonly uploads: ImportUploadsService,
    private readonly archive: ArchiveDeletionService,
    private readonly redisKeys: UserRedisKeys,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly timings: UserDeletionTimings,
  ) {}

  /** Whether the user still exists and is marked for deletion. */
  isPending(userId: string): Promise<boolean> {
    return this.repository.isMarked(userId);
  }

  /**
   * Cancels the user's jobs and waits until no process holds one: a batch that is being written would add files. New jobs
   * are refused since the user was marked; a job of a process that died counts until its lease ends.
   * @throws UserStillBusy
   */
  async stopJobs(userId: string, job: JobContext): Promise<void> {
    const deadline = performance.now() + this.timings.stopJobsMs;
    for (;;) {
      job.throwIfCancelled();
      const running = await this.cancelJobs(userId);
      if (running === 0) return;
      if (performance.now() > deadline) throw new UserStillBusy(running);
      await sleep(this.timings.pollMs, undefined, { signal: job.signal }).catch(() => job.throwIfCancelled());
    }
  }

  /**
   * Deletes uploaded files and their rows, before the accounts, with which the rows would go. Files on another machine's
   * disk are deleted there once no row names them.
   */
  async deleteUploads(userId: string, progress: DeletionProgress): Promise<void> {
    await progress.add({ files: await this.uploads.deleteAllOf(userId) });
  }

  /** Deletes rows, except those needed to find the user's files. */
  async deleteRows(userId: string, job: JobContext): Promise<void> {
    await this.rows.deleteOf(userId, () => job.throwIfCancelled());
  }

  /** Deletes the user's folders in every store they used. @throws UserFilesRemain */
  async deleteFiles(userId: string, progress: DeletionProgress, job: JobContext): Promise<void> {
    try {
      await progress.add(await this.archive.deleteFilesOfUser(userId, job));
    } catch (error) {
      const failures = [ArchiveStoreUnavailable, ArchiveStoreRefused, ArchiveStoreEndless];
      if (!failures.some((failure) => error instanceof failure)) throw error;
      throw new UserFilesRemain((error as DomainError).detail, error as DomainError);
    }
  }

  /** Deletes the user's row and every row that refers to it. */
  async deleteUser(userId: string, counts: Readonly<Record<string, number>>): Promise<void> {
    await this.transactions.runRepeatable(async (transaction) => {
      await this.users.lockForDeletion(userId, transaction);
      if (!(await this.users.deleteMarked(userId, transaction))) return;
      await this.audit.record({ action: 'user.deleted', userId, details: counts }, transaction);
    });
  }

  /** Deletes data that names the user by id alone. Nothing is added to it once the user's row is deleted. */
  async deleteTraces(userId: string): Promise<void> {
    await this.archive.deleteLocalFolder(userId);
    await this.rows.deleteFileDeletions(userId);
    await this.redisKeys.delete([userId]);
  }

  /** Cancels the user's jobs. @returns the number of jobs that still run */
  private async cancelJobs(userId: string): Promise<number> {
    await this.transactions.run(async (transaction) => {
      await this.users.lockForDeletion(userId, transaction);
      await this.cancellations.cancelEverythingOf(userId, transaction);
    });
    return this.repository.countRunningJobs(userId);
  }
}
