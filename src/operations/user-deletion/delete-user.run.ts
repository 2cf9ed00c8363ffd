import type { AuditTrail } from '../../platform/access/audit-trail.port';
import {
  ArchiveStoreEndless,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
} from '../../archive/files/archive-store.errors';
import type { ImportUploadsService } from '../../archive/imports/import-uploads.service';
import type { ArchiveDeletionService } from '../../archive/mails/archive-deletion.service';
import type { UsersService } from '../../identity/users/users.service';
import type { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type { GrantRevocations } from '../../mailbox/connect/grant-revocations';
import { delay as sleep } from '../../platform/concurrency/timers';
import type { Transactions } from '../../platform/database/transactions';
import type { DomainError } from '../../platform/http/domain-error';
import type { JobCancellations } from '../../platform/jobs/job-cancellations';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { AccountRowsService } from '../account-deletion/account-rows.service';
import { type DeletionCounts, DeletionProgress, type DeletionState } from './deletion-progress';
import type { UserDeletionTimings } from './user-deletion-timings';
import { UserFilesRemain, UserStillBusy } from './user-deletion.errors';
import type { UserDeletionsRepository } from './user-deletions.repository';
import type { UserRedisKeys } from './user-redis-keys';
import type { UserRowsService } from './user-rows.service';

export interface DeleteUserServices {
  readonly repository: UserDeletionsRepository;
  readonly users: UsersService;
  readonly accounts: MailboxAccountsService;
  readonly grants: GrantRevocations;
  readonly archive: ArchiveDeletionService;
  readonly uploads: ImportUploadsService;
  readonly accountRows: AccountRowsService;
  readonly userRows: UserRowsService;
  readonly redisKeys: UserRedisKeys;
  readonly cancellations: JobCancellations;
  readonly audit: AuditTrail;
  readonly transactions: Transactions;
  readonly timings: UserDeletionTimings;
}

/**
 * Deletes a user who is marked for deletion. Every step can be repeated and works on what it finds; checkpoints hold
 * counts only. Files in stores that may be unavailable come last, directly before the user's row, which keeps the
 * configuration of those stores; everything else is deleted by then.
 */
export class DeleteUserRun {
  private readonly progress: DeletionProgress;

  constructor(
    private readonly userId: string,
    private readonly job: JobContext,
    private readonly services: DeleteUserServices,
  ) {
    this.progress = new DeletionProgress(job, job.savedCheckpoint<DeletionState>());
  }

  /** @throws UserStillBusy, UserFilesRemain */
  async run(): Promise<DeletionCounts & Readonly<Record<string, number>>> {
    const { progress, services } = this;
    if (await services.repository.isMarked(this.userId)) {
      await this.stopJobs();
      await progress.begin(await this.measure());
      await this.disconnect();
      await this.deleteUploads();
      await this.deleteAccounts();
      await this.deleteRows();
      await this.deleteFiles();
      this.job.throwIfCancelled();
      await this.deleteUser();
    }
    // Repeated when an earlier attempt deleted the row: no other job would delete these.
    await this.deleteTraces();
    return progress.counts;
  }

  /** Size of the archives of all the user's accounts. */
  private async measure(): Promise<{ mails: number; bytes: number }> {
    const { userId } = this;
    const { accounts, archive } = this.services;
    const total = { mails: 0, bytes: 0 };
    for (const { id } of await accounts.listByUser(userId)) {
      const { mails, bytes } = await archive.sizeOf(userId, id);
      total.mails += mails;
      total.bytes += bytes;
    }
    return total;
  }

  /**
   * Disconnects every account. Revokes each grant before its credentials are deleted, so that the next attempt can do so when
   * this one is killed in between.
   */
  private async disconnect(): Promise<void> {
    const { userId, job, progress } = this;
    const { accounts, grants, transactions } = this.services;
    for (const account of await accounts.listByUser(userId)) {
      job.throwIfCancelled();
      const revoked = account.sealedCredentials === null || (await grants.revoke(account));
      await transactions.run((transaction) => accounts.disconnect(userId, account.id, true, transaction));
      if (!revoked) await progress.add({ grantsNotRevoked: 1 });
    }
  }

  /** Deletes archives and accounts, one after another, in batches. */
  private async deleteAccounts(): Promise<void> {
    const { userId, job, progress } = this;
    const { accountRows, accounts, archive, redisKeys } = this.services;
    for (const { id } of await accounts.listByUser(userId)) {
      await archive.deleteAccount(userId, id, job, ({ mails, files }) =>
        progress.addDeletedMails(mails, files),
      );
      await accountRows.deleteOf(id, () => job.throwIfCancelled());
      await redisKeys.delete([id]);
      if (await accounts.deletePurged(userId, id)) await progress.add({ accounts: 1 });
    }
  }

  /**
   * Cancels the user's jobs and waits until no process holds one: a batch that is being written would add files. New jobs
   * are refused since the user was marked; a job of a process that died counts until its lease ends.
   * @throws UserStillBusy
   */
  private async stopJobs(): Promise<void> {
    const { job } = this;
    const { timings } = this.services;
    const deadline = performance.now() + timings.stopJobsMs;
    for (;;) {
      job.throwIfCancelled();
      const running = await this.cancelJobs();
      if (running === 0) return;
      if (performance.now() > deadline) throw new UserStillBusy(running);
      await sleep(timings.pollMs, undefined, { signal: job.signal }).catch(() => job.throwIfCancelled());
    }
  }

  /**
   * Deletes uploaded files and their rows, before the accounts, with which the rows would go. Files on another machine's
   * disk are deleted there once no row names them.
   */
  private async deleteUploads(): Promise<void> {
    await this.progress.add({ files: await this.services.uploads.deleteAllOf(this.userId) });
  }

  /** Deletes rows, except those needed to find the user's files. */
  private async deleteRows(): Promise<void> {
    await this.services.userRows.deleteOf(this.userId, () => this.job.throwIfCancelled());
  }

  /** Deletes the user's folders in every store they used. @throws UserFilesRemain */
  private async deleteFiles(): Promise<void> {
    try {
      await this.progress.add(await this.services.archive.deleteFilesOfUser(this.userId, this.job));
    } catch (error) {
      const failures = [ArchiveStoreUnavailable, ArchiveStoreRefused, ArchiveStoreEndless];
      if (!failures.some((failure) => error instanceof failure)) throw error;
      throw new UserFilesRemain((error as DomainError).detail, error as DomainError);
    }
  }

  /** Deletes the user's row and every row that refers to it. */
  private async deleteUser(): Promise<void> {
    const { userId } = this;
    const { audit, transactions, users } = this.services;
    await transactions.runRepeatable(async (transaction) => {
      await users.lockForDeletion(userId, transaction);
      if (!(await users.deleteMarked(userId, transaction))) return;
      await audit.record({ action: 'user.deleted', userId, details: this.progress.counts }, transaction);
    });
  }

  /** Deletes data that names the user by id alone. Nothing is added to it once the user's row is deleted. */
  private async deleteTraces(): Promise<void> {
    const { userId } = this;
    const { archive, redisKeys, userRows } = this.services;
    await archive.deleteLocalFolder(userId);
    await userRows.deleteFileDeletions(userId);
    await redisKeys.delete([userId]);
  }

  /** Cancels the user's jobs. @returns the number of jobs that still run */
  private async cancelJobs(): Promise<number> {
    const { userId } = this;
    const { cancellations, repository, transactions, users } = this.services;
    await transactions.run(async (transaction) => {
      await users.lockForDeletion(userId, transaction);
      await cancellations.cancelEverythingOf(userId, transaction);
    });
    return repository.countRunningJobs(userId);
  }
}
