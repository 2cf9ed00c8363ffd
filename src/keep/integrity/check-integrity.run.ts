import type { JobContext } from '../../platform/jobs/job-definition';
import type { AccountWithMail, ArchiveTotals } from '../../archive/mails/archive-totals';
import type { AccountCheck, CheckScope } from './account-check';
import type { ArchiveFolders } from './archive-folders';
import type { ArchiveUsers } from './archive-users';
import { IntegrityProgress, type IntegrityReport, type IntegrityState } from './integrity-progress';
import { ArchiveStoreUnreadable, StoreFailure } from './integrity.errors';
import type { OrphanFilesService } from './orphan-files.service';

export interface IntegrityWork extends CheckScope {
  /** Whether the local folders of users who are gone, or have no archive any more, are swept as well. */
  readonly strays: boolean;
}

export interface CheckIntegrityServices {
  readonly totals: ArchiveTotals;
  readonly accounts: AccountCheck;
  readonly archiveUsers: ArchiveUsers;
  readonly sweeper: OrphanFilesService;
  readonly folders: ArchiveFolders;
}

/** A check as a whole: the accounts' files, then the files that belong to no mail. */
export class CheckIntegrityRun {
  private readonly progress: IntegrityProgress;

  constructor(
    private readonly work: IntegrityWork,
    private readonly job: JobContext,
    private readonly services: CheckIntegrityServices,
  ) {
    this.progress = new IntegrityProgress(job, job.savedCheckpoint<IntegrityState>());
  }

  /**
   * Goes on from the job's checkpoint. A store that cannot be read does not keep the others from being checked; what
   * lies in it is left to the next check.
   * @throws ArchiveStoreUnreadable when there was one, at the end
   */
  async run(): Promise<IntegrityReport> {
    const { progress } = this;
    await this.checkAccounts();
    await this.sweepUsers();
    if (this.work.strays) await this.sweepStrays();
    if (progress.failure) throw new ArchiveStoreUnreadable(progress.failure);
    return progress.report;
  }

  private async checkAccounts(): Promise<void> {
    const { work, progress, job } = this;
    const { totals, accounts: check } = this.services;
    const accounts = await totals.findAccountsWithMail(work.everything ? null : job.userId);
    const todo = progress.listRemaining(
      'check',
      accounts.map(({ accountId }) => accountId),
    );
    const byId = new Map(accounts.map((account) => [account.accountId, account]));
    if (!progress.isResumed) job.setTotal(await this.countDue(accounts));
    for (const accountId of todo) {
      const account = byId.get(accountId) as AccountWithMail;
      await this.noteStoreFailure(() => check.check(account, work, progress));
      await progress.markDone(accountId);
    }
  }

  private async countDue(accounts: readonly AccountWithMail[]): Promise<number> {
    let total = 0;
    for (const account of accounts) total += await this.services.accounts.countDue(account, this.work);
    return total;
  }

  private async sweepUsers(): Promise<void> {
    const { progress } = this;
    const { archiveUsers, sweeper } = this.services;
    const userIds = this.work.everything ? await archiveUsers.list() : [this.job.userId];
    for (const userId of progress.listRemaining('sweep', userIds)) {
      await this.noteStoreFailure(() => sweeper.deleteOrphansOfUser(userId, progress));
      await progress.markDone(userId);
    }
  }

  private async sweepStrays(): Promise<void> {
    const { progress } = this;
    const { archiveUsers, folders, sweeper } = this.services;
    const swept = new Set(await archiveUsers.list());
    const strays = (await folders.listUserIds()).filter((userId) => !swept.has(userId));
    for (const userId of progress.listRemaining('strays', strays)) {
      await this.noteStoreFailure(() => sweeper.deleteOrphansInFolder(userId, progress));
      await progress.markDone(userId);
    }
  }

  private async noteStoreFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // A read that is interrupted throws an error of the store: the cancellation takes precedence.
      this.job.throwIfCancelled();
      if (!(error instanceof StoreFailure)) throw error;
      this.progress.addStoreFailure(error);
    }
  }
}
