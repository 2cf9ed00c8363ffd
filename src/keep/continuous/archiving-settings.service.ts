import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import type { Transaction } from '../../platform/database/transactions';
import { Transactions } from '../../platform/database/transactions';
import { JobReader } from '../../platform/jobs/job-reader';
import { LedgerService } from './ledger/ledger.service';
import { AccountMaintenance } from '../../mailbox/accounts/account-maintenance';
import { isDisconnected } from '../../mailbox/accounts/mailbox-account.entity';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { KEEP_COPIES_CHORE } from './copying/copy-jobs';
import { KeepCopies } from './copying/keep-copies.job';
import type { UpdateArchivingDto } from './dto/archiving.dto';
import { deriveState, type JudgedState } from './health/archiving-state';
import { isOpen } from './own-jobs';
import { ReconcileJobs } from './reconciling/reconcile-jobs';
import { ReconcileMailbox } from './reconciling/reconcile-mailbox.job';
import {
  type ArchivingChoice,
  type ArchivingSettings,
  ArchivingSettingsRepository,
} from './settings/archiving-settings.repository';
import { DEFAULT_EXCLUSIONS } from './settings/exclusion';

/** The settings and the state of continuous archiving of an account, for its owner. */
export interface ArchivingStatus {
  readonly settings: ArchivingSettings & { readonly oldestPendingAt: Date | null };
  readonly judged: JudgedState;
  readonly pending: number;
  /** Paths of folders that are not read, or only in part. */
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

/** Reads and changes the settings of continuous archiving. */
@Injectable()
export class ArchivingSettingsService {
  constructor(
    private readonly repository: ArchivingSettingsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly ledger: LedgerService,
    private readonly archiveLock: ArchiveLock,
    private readonly maintenance: AccountMaintenance,
    private readonly reconcileJobs: ReconcileJobs,
    private readonly reader: JobReader,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** Finds the settings and the state of a user's account. @throws AccountNotOwned */
  async findStatus(userId: string, accountId: string): Promise<ArchivingStatus> {
    await this.accounts.requireOwned(userId, accountId);
    const overview = await this.repository.findOverview(userId, accountId);
    if (!overview) return OFF;
    const judged = deriveState(overview, new Date());
    const { pending, incompleteFolders } = overview;
    const settings = { ...overview, exact: overview.exact && incompleteFolders.length === 0 };
    return { settings, judged, pending, incompleteFolders, jobId: await this.findOpenJob(accountId) };
  }

  /**
   * Changes the fields given.
   * @throws AccountNotOwned; MailboxDisconnected, ReauthRequired when it is switched on
   */
  async update(userId: string, accountId: string, body: UpdateArchivingDto): Promise<ArchivingStatus> {
    const account = await this.accounts.requireOwned(userId, accountId);
    const wantsOn = body.mode !== undefined && body.mode !== 'off';
    const usable = wantsOn && !isDisconnected(account) && account.status === 'connected' && account.isActive;
    await this.transactions.run(async (transaction) => {
      // Before the settings, which the triggers of archived mail lock after it.
      if (body.mode !== undefined) await this.archiveLock.acquire({ userId, accountId }, transaction);
      const before = await this.repository.lockOrCreate(accountId, transaction);
      const choice = applyChanges(before, body);
      const isSwitchedOn = before.mode === 'off' && choice.mode !== 'off';
      // Says why it cannot be used.
      if (isSwitchedOn && !usable) await this.accounts.requireUsable(userId, accountId, transaction);
      await this.repository.saveChoice(accountId, choice, transaction);
      await this.applyChoice(userId, accountId, before, choice, transaction);
      const { mode, paused } = choice;
      const changed = Object.keys(body).filter(
        (name) => body[name as keyof UpdateArchivingDto] !== undefined,
      );
      await this.audit.record(
        { action: 'archiving.changed', userId, accountId, details: { changed, mode, paused } },
        transaction,
      );
    });
    return this.findStatus(userId, accountId);
  }

  /** Brings the ledger and the chores in line with a choice. */
  private async applyChoice(
    userId: string,
    accountId: string,
    before: ArchivingSettings,
    choice: ArchivingChoice,
    transaction: Transaction,
  ): Promise<void> {
    const isOn = choice.mode !== 'off';
    // No history is read while it is off.
    if (isOn !== (before.mode !== 'off')) {
      await this.repository.resetProgress(accountId, transaction);
      if (isOn) {
        await this.ledger.begin({ id: accountId, userId }, transaction);
        await this.reconcileJobs.start({ userId, accountId }, transaction);
      }
    }
    const isSame = JSON.stringify(before.exclusions) === JSON.stringify(choice.exclusions);
    if (!isSame) await this.repository.requestRejudging(accountId, transaction);
    await this.maintenance.makeDue(KEEP_COPIES_CHORE, accountId, transaction);
  }

  private async findOpenJob(accountId: string): Promise<string | null> {
    for (const { kind } of [ReconcileMailbox, KeepCopies]) {
      const last = await this.reader.findLast(accountId, kind);
      if (last && isOpen(last)) return last.jobId;
    }
    return null;
  }
}

const applyChanges = (before: ArchivingChoice, body: UpdateArchivingDto): ArchivingChoice => ({
  mode: body.mode ?? before.mode,
  paused: body.paused ?? before.paused,
  exclusions: body.exclusions ?? before.exclusions,
  verifyDays: body.verifyDays ?? before.verifyDays,
  reconcileDays: body.reconcileDays ?? before.reconcileDays,
  notifyAfterHours: body.notifyAfterHours === undefined ? before.notifyAfterHours : body.notifyAfterHours,
  followLabels: body.followLabels ?? before.followLabels,
});
