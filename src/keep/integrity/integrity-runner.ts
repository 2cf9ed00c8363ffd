import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition';
import { AccountCheck, CheckScope } from './account-check';
import { AccountWithMail, ArchiveTotals } from '../../archive/mails/archive-totals';
import { ArchiveUsers } from './archive-users';
import type { IntegrityReport } from './integrity-run';
import { IntegrityRun } from './integrity-run';
import { ArchiveStoreUnreadable, StoreFailure } from './integrity.errors';
import { ArchiveFolders } from './archive-folders';
import { OrphanFilesService } from './orphan-files.service';

export interface IntegrityWork extends CheckScope {
  /** Whether the local folders of users who are gone, or have no archive any more, are swept as well. */
  readonly strays: boolean;
}

/** A check as a whole: the accounts' files, then the files that belong to no mail. */
@Injectable()
export class IntegrityRunner {
  constructor(
    private readonly totals: ArchiveTotals,
    private readonly accounts: AccountCheck,
    private readonly archiveUsers: ArchiveUsers,
    private readonly sweeper: OrphanFilesService,
    private readonly folders: ArchiveFolders,
  ) {}

  /**
   * Goes on from the job's checkpoint. A store that cannot be read does not keep the others from being checked; what
   * lies in it is left to the next check.
   * @throws ArchiveStoreUnreadable when there was one, at the end
   */
  async run(work: IntegrityWork, job: JobContext): Promise<IntegrityReport> {
    const run = IntegrityRun.resume(job);
    await this.checkAccounts(work, run);
    await this.sweepUsers(work, run);
    if (work.strays) await this.sweepStrays(run);
    if (run.failure) throw new ArchiveStoreUnreadable(run.failure);
    return run.report;
  }

  private async checkAccounts(work: IntegrityWork, run: IntegrityRun): Promise<void> {
    const accounts = await this.totals.findAccountsWithMail(work.everything ? null : run.job.userId);
    const todo = run.listRemaining(
      'check',
      accounts.map(({ accountId }) => accountId),
    );
    const byId = new Map(accounts.map((account) => [account.accountId, account]));
    if (!run.isResumed) run.job.setTotal(await this.countDue(accounts, work));
    for (const accountId of todo) {
      const account = byId.get(accountId) as AccountWithMail;
      await this.noteStoreFailure(run, () => this.accounts.check(account, work, run));
      await run.markDone(accountId);
    }
  }

  private async countDue(accounts: readonly AccountWithMail[], scope: CheckScope): Promise<number> {
    let total = 0;
    for (const account of accounts) total += await this.accounts.countDue(account, scope);
    return total;
  }

  private async sweepUsers(work: IntegrityWork, run: IntegrityRun): Promise<void> {
    const userIds = work.everything ? await this.archiveUsers.list() : [run.job.userId];
    for (const userId of run.listRemaining('sweep', userIds)) {
      await this.noteStoreFailure(run, () => this.sweeper.deleteOrphansOfUser(userId, run));
      await run.markDone(userId);
    }
  }

  private async sweepStrays(run: IntegrityRun): Promise<void> {
    const swept = new Set(await this.archiveUsers.list());
    const strays = (await this.folders.listUserIds()).filter((userId) => !swept.has(userId));
    for (const userId of run.listRemaining('strays', strays)) {
      await this.noteStoreFailure(run, () => this.sweeper.deleteOrphansInFolder(userId, run));
      await run.markDone(userId);
    }
  }

  private async noteStoreFailure(run: IntegrityRun, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // A read that is interrupted throws an error of the store: the cancellation takes precedence.
      run.job.throwIfCancelled();
      if (!(error instanceof StoreFailure)) throw error;
      run.addStoreFailure(error);
    }
  }
}
