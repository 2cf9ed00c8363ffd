import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditTrail } from '../access/audit-trail.port';
import { ArchiveStoreRefused, ArchiveStoreUnavailable } from '../archive-storage/archive-store.errors';
import { ArchiveDeletionService } from '../archive/archive-deletion.service';
import { Transactions } from '../common/database/transactions';
import { ImportUploadsService } from '../imports/import-uploads.service';
import { JobCancellations } from '../jobs/job-cancellations';
import type { JobContext } from '../jobs/job-definition';
import type { DeletionProgress } from './deletion-progress';
import { UserFilesRemain, UserStillBusy } from './user-deletion.errors';
import { UserDeletionsRepository } from './user-deletions.repository';
import { UserRedisKeys } from './user-redis-keys';
import { UserRowsRepository } from './user-rows.repository';

/** Intervals of a deletion, in milliseconds; tests inject shorter ones. */
export class UserDeletionTimings {
  /** How long cancelled jobs of the user may take to reach the end of their batch. */
  readonly letGoMs: number = 120_000;
  /** Between two looks whether they have. */
  readonly pollMs: number = 500;
}

/** What a user leaves behind besides their mailboxes, and the user. */
@Injectable()
export class UserDataDeletionService {
  constructor(
    private readonly repository: UserDeletionsRepository,
    private readonly rows: UserRowsRepository,
    private readonly cancellations: JobCancellations,
    private readonly uploads: ImportUploadsService,
    private readonly archive: ArchiveDeletionService,
    private readonly leftovers: UserRedisKeys,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly timings: UserDeletionTimings,
  ) {}

  /** Whether the user is still there, waiting to be removed. */
  isOwed(userId: string): Promise<boolean> {
    return this.repository.isMarked(userId);
  }

  /**
   * Waits until no process holds a job of the user any more: a batch that is being written would bring files. New ones
   * are refused since the user was marked; one of a process that died counts until its lease is over.
   * @throws UserStillBusy
   */
  async stopJobs(userId: string, job: JobContext): Promise<void> {
    const deadline = performance.now() + this.timings.letGoMs;
    for (;;) {
      job.throwIfCancelled();
      const running = await this.tellJobsToStop(userId);
      if (running === 0) return;
      if (performance.now() > deadline) throw new UserStillBusy(running);
      await sleep(this.timings.pollMs, undefined, { signal: job.signal }).catch(() => job.throwIfCancelled());
    }
  }

  /**
   * Uploaded files and their rows, which would go with the accounts. Those on another machine's disk are swept there once
   * no row claims them.
   */
  async removeUploads(userId: string, tally: DeletionProgress): Promise<void> {
    await tally.add({ files: await this.uploads.removeAllOf(userId) });
  }

  /** Rows, but for those that lead to the user's files. */
  async removeRows(userId: string, job: JobContext): Promise<void> {
    await this.rows.deleteOfUser(userId, () => job.throwIfCancelled());
  }

  /** Whatever lies in the user's folders, in every store they used. @throws UserFilesRemain */
  async removeFiles(userId: string, tally: DeletionProgress, job: JobContext): Promise<void> {
    try {
      await tally.add({ files: await this.archive.deleteFilesOfUser(userId, job) });
    } catch (error) {
      if (!(error instanceof ArchiveStoreUnavailable || error instanceof ArchiveStoreRefused)) throw error;
      throw new UserFilesRemain(error.detail, error);
    }
  }

  /** The user's row goes, with every row that refers to it. */
  async complete(userId: string, counts: Readonly<Record<string, number>>): Promise<void> {
    await this.transactions.run(async (transaction) => {
      await this.repository.lock(userId, transaction);
      if (!(await this.repository.delete(userId, transaction))) return;
      await this.audit.record({ action: 'user.deleted', userId, details: counts }, transaction);
    });
  }

  /** What refers to the user by id alone. Once the row is gone nobody adds to it. */
  async removeTraces(userId: string): Promise<void> {
    await this.archive.deleteLocalFolder(userId);
    await this.rows.deleteFileDeletions(userId);
    await this.leftovers.remove([userId]);
  }

  private async tellJobsToStop(userId: string): Promise<number> {
    await this.transactions.run(async (transaction) => {
      await this.repository.lock(userId, transaction);
      await this.cancellations.cancelEverythingOf(userId, transaction);
    });
    return this.repository.countRunningJobs(userId);
  }
}
