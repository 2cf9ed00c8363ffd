import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions';
import { Transactions } from '../../../platform/database/transactions';
import { JobReader } from '../../../platform/jobs/job-reader';
import { JobsService, type JobOwner, type StartedJob } from '../../../platform/jobs/jobs.service';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { ArchivingOff } from '../archiving.errors';
import { isOpen, mayStartAgain } from '../own-jobs';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';
import { ReconcileMailbox } from './reconcile-mailbox.job';

/** Starts jobs that compare ledgers with their mailboxes, one at a time per account. */
@Injectable()
export class ReconcileJobs {
  constructor(
    private readonly settings: ArchivingSettingsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly reader: JobReader,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Starts a job for a user, or joins the one under way.
   * @throws ArchivingOff, MailboxDisconnected, ReauthRequired
   */
  async request(userId: string, accountId: string): Promise<StartedJob> {
    const repeated = await this.jobs.findRepeated(userId);
    if (repeated) return { jobId: repeated.record.jobId };
    await this.accounts.requireUsable(userId, accountId);
    return this.transactions.run(async (transaction) => {
      // Two requests at once start one job.
      const settings = await this.settings.lock(accountId, transaction);
      if (!settings || settings.mode === 'off') throw new ArchivingOff();
      return this.start({ userId, accountId }, transaction);
    });
  }

  /** Starts a job, or joins the one under way. @param transaction has locked the account's settings */
  async start(
    owner: JobOwner & { readonly accountId: string },
    transaction: Transaction,
  ): Promise<StartedJob> {
    const last = await this.reader.findLast(owner.accountId, ReconcileMailbox.kind, transaction);
    if (last && isOpen(last)) return { jobId: last.jobId };
    return this.jobs.start(ReconcileMailbox, owner, {}, { transaction });
  }

  /** Starts a job unless one is under way, or the last one ended badly a short while ago. */
  async ensure(account: ProviderAccount): Promise<void> {
    const last = await this.reader.findLast(account.id, ReconcileMailbox.kind);
    if (last && !mayStartAgain(last, new Date())) return;
    // One of all callers that saw the same last job starts the next.
    const once = `reconcile ${account.id} after ${last?.number ?? 0}`;
    const owner = { userId: account.userId, accountId: account.id };
    await this.jobs.startIfPossible(ReconcileMailbox, owner, {}, { once });
  }
}
