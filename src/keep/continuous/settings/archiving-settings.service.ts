import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import { ArchiveWritesRepository } from '../../../archive/mails/writing/archive-writes.repository';
import type { Transaction } from '../../../platform/database/transactions';
import { Transactions } from '../../../platform/database/transactions';
import { JobReader } from '../../../platform/jobs/job-reader';
import { LedgerService } from '../ledger/ledger.service';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { isDisconnected } from '../../../mailbox/accounts/mailbox-account.entity';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { KEEP_COPIES_CHORE, KeepCopies } from '../copying/copy-jobs';
import type { UpdateArchivingDto } from '../dto/archiving.dto';
import { type JudgedState, stateOf } from '../health/archiving-state';
import { isOpen } from '../own-jobs';
import { ReconcileJobs, ReconcileMailbox } from '../reconciling/reconcile-jobs';
import {
  type ArchivingChoice,
  type ArchivingOverview,
  type ArchivingSettings,
  KeptAccountsRepository,
} from './kept-accounts.repository';
import { DEFAULT_EXCLUSIONS } from './exclusion';

/** Continuous archiving of an account, as its owner sees it. */
export interface ArchivingStatus {
  readonly settings: ArchivingSettings & { readonly oldestPendingAt: Date | null };
  readonly judged: JudgedState;
  readonly pending: number;
  /** Paths of folders that are not read, or not wholly. */
  readonly incompleteFolders: readonly string[];
  /** The job under way that compares or copies. */
  readonly jobId: string | null;
}

const OFF: ArchivingStatus = {
  settings: {
    mode: 'off',
    paused: false,
    exclusions: DEFAULT_EXCLUSIONS,
    verifyDays: 8,
    reconcileDays: 7,
    notifyAfterHours: 24,
    followLabels: true,
    exact: false,
    epoch: 0,
    lookedAt: null,
    copiedAt: null,
    reconciledAt: null,
    filledAt: null,
    trouble: null,
    unhealthySince: null,
    notifiedAt: null,
    rejudgeSince: null,
    oldestPendingAt: null,
  },
  judged: { state: 'off', reason: null },
  pending: 0,
  incompleteFolders: [],
  jobId: null,
};

/** The state of an account, now. */
export const judgedState = (overview: ArchivingOverview, now: Date): JudgedState =>
  stateOf({ ...overview, isIncomplete: overview.incompleteFolders.length > 0, account: overview }, now);

/** The choices of owners about continuous archiving. */
@Injectable()
export class ArchivingSettingsService {
  constructor(
    private readonly repository: KeptAccountsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly ledger: LedgerService,
    private readonly archive: ArchiveWritesRepository,
    private readonly maintenance: AccountMaintenance,
    private readonly reconcileJobs: ReconcileJobs,
    private readonly reader: JobReader,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AccountNotOwned */
  async status(userId: string, accountId: string): Promise<ArchivingStatus> {
    await this.accounts.owned(userId, accountId);
    const overview = await this.repository.overview(userId, accountId);
    if (!overview) return OFF;
    const judged = judgedState(overview, new Date());
    const { pending, incompleteFolders } = overview;
    const settings = { ...overview, exact: overview.exact && incompleteFolders.length === 0 };
    return { settings, judged, pending, incompleteFolders, jobId: await this.openJob(accountId) };
  }

  /**
   * Changes the fields given.
   * @throws AccountNotOwned; MailboxDisconnected, ReauthRequired when it is switched on
   */
  async update(userId: string, accountId: string, body: UpdateArchivingDto): Promise<ArchivingStatus> {
    const account = await this.accounts.owned(userId, accountId);
    const wantsOn = body.mode !== undefined && body.mode !== 'off';
    const usable = wantsOn && !isDisconnected(account) && account.status === 'connected' && account.isActive;
    await this.transactions.run(async (transaction) => {
      // Before the settings, which the triggers of archived mail lock after it.
      if (body.mode !== undefined) await this.archive.lockArchive({ userId, accountId }, transaction);
      const before = await this.repository.lockOrBegin(accountId, transaction);
      const choice = chosen(before, body);
      const isSwitchedOn = before.mode === 'off' && choice.mode !== 'off';
      // Says why it cannot be used.
      if (isSwitchedOn && !usable) await this.accounts.usable(userId, accountId, transaction);
      await this.repository.choose(accountId, choice, transaction);
      await this.follow(userId, accountId, before, choice, transaction);
      const { mode, paused } = choice;
      const changed = Object.keys(body).filter(
        (name) => body[name as keyof UpdateArchivingDto] !== undefined,
      );
      await this.audit.record(
        { action: 'archiving.changed', userId, accountId, details: { changed, mode, paused } },
        transaction,
      );
    });
    return this.status(userId, accountId);
  }

  /** What a choice makes of the ledger. */
  private async follow(
    userId: string,
    accountId: string,
    before: ArchivingSettings,
    choice: ArchivingChoice,
    transaction: Transaction,
  ): Promise<void> {
    const isOn = choice.mode !== 'off';
    // What happens while it is off is in no history that anybody reads.
    if (isOn !== (before.mode !== 'off')) {
      await this.repository.forget(accountId, transaction);
      if (isOn) {
        await this.ledger.begin({ id: accountId, userId }, transaction);
        await this.reconcileJobs.start({ userId, accountId }, transaction);
      }
    }
    const isSame = JSON.stringify(before.exclusions) === JSON.stringify(choice.exclusions);
    if (!isSame) await this.repository.rejudge(accountId, transaction);
    await this.maintenance.makeDue(KEEP_COPIES_CHORE, accountId, transaction);
  }

  private async openJob(accountId: string): Promise<string | null> {
    for (const { kind } of [ReconcileMailbox, KeepCopies]) {
      const last = await this.reader.findLast(accountId, kind);
      if (last && isOpen(last)) return last.jobId;
    }
    return null;
  }
}

const chosen = (before: ArchivingChoice, body: UpdateArchivingDto): ArchivingChoice => ({
  mode: body.mode ?? before.mode,
  paused: body.paused ?? before.paused,
  exclusions: body.exclusions ?? before.exclusions,
  verifyDays: body.verifyDays ?? before.verifyDays,
  reconcileDays: body.reconcileDays ?? before.reconcileDays,
  notifyAfterHours: body.notifyAfterHours === undefined ? before.notifyAfterHours : body.notifyAfterHours,
  followLabels: body.followLabels ?? before.followLabels,
});
