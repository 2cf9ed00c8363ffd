import { Injectable } from '@nestjs/common';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { LedgerService } from '../ledger/ledger.service';
import type { MaintenanceRest } from '../../../mailbox/accounts/account-maintenance';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { ReconcileJobs } from '../reconciling/reconcile-jobs';
import {
  type ArchivingOverview,
  ArchivingSettingsRepository,
  isCopying,
} from '../settings/archiving-settings.repository';
import { CopyJobs } from './copy-jobs';
import { MessageCopier } from './message-copier';
import { recordTrouble } from './trouble';

/** Limits of a chore, in messages and in time; a larger backlog is left to a job. */
const AT_ONCE = 50;
const COPY_MS = 10_000;
/** A history that was followed so recently is not followed again. */
const FRESH_MS = 5_000;
/** Rest of accounts that are off or paused. */
const REST: MaintenanceRest = { dueAgainInSeconds: 300 };
const DAY_MS = 86_400_000;

/** Keeps the archive of a mailbox complete: follows its history, and copies what is missing. See ADR 72. */
@Injectable()
export class ContinuousArchiver {
  constructor(
    private readonly settings: ArchivingSettingsRepository,
    private readonly ledger: LedgerService,
    private readonly index: MessageIndexService,
    private readonly copier: MessageCopier,
    private readonly copyJobs: CopyJobs,
    private readonly reconcileJobs: ReconcileJobs,
  ) {}

  /** Follows the history of a mailbox: new mail is copied at once, a backlog starts a job. */
  async syncNewMail(account: ProviderAccount, signal: AbortSignal): Promise<MaintenanceRest | void> {
    const settings = await this.settings.find(account.id);
    // A ledger that was switched off may have rows left.
    if (settings?.mode === 'off') await this.ledger.clear(account.id);
    if (!settings || settings.mode === 'off' || settings.paused) return REST;
    await recordTrouble(this.settings, account.id, async () => {
      // The ledger follows the index.
      await this.index.sync(account, { priority: 'background', maxAgeMs: FRESH_MS, signal });
      await this.settings.recordSync(account.id);
      if (settings.rejudgeSince) await this.rejudge(account.id, settings.rejudgeSince);
      const overview = await this.settings.findOverview(account.userId, account.id);
      if (!overview) return;
      if (!overview.exact || isDue(overview, new Date())) await this.reconcileJobs.ensure(account);
      await this.copyNewest(account, overview, signal);
    });
    await this.settings.recordFirstFill(account.id);
  }

  private async rejudge(accountId: string, since: Date): Promise<void> {
    await this.ledger.rejudge(accountId);
    await this.settings.recordRejudged(accountId, since);
  }

  private async copyNewest(
    account: ProviderAccount,
    overview: ArchivingOverview,
    signal: AbortSignal,
  ): Promise<void> {
    if (!isCopying(overview) || overview.isFull) return;
    const until = Date.now() + COPY_MS;
    const pass = await this.copier.copy(account, overview.exclusions, {
      limit: AT_ONCE,
      until,
      priority: 'background',
      signal,
    });
    if (pass.copied + pass.recovered > 0) await this.settings.recordCopied(account.id);
    const { pending = 0, isFull = false } =
      (await this.settings.findOverview(account.userId, account.id)) ?? {};
    if (pending > 0 && pass.taken === AT_ONCE && !isFull) await this.copyJobs.ensure(account, pending);
  }
}

const isDue = ({ reconciledAt, reconcileDays }: ArchivingOverview, now: Date): boolean =>
  reconciledAt === null || now.getTime() - reconciledAt.getTime() >= reconcileDays * DAY_MS;
