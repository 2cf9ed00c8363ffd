import { Injectable, Logger } from '@nestjs/common';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { JobInterrupted } from '../../../platform/jobs/jobs.errors';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { LedgerService } from '../ledger/ledger.service';
import type { MaintenanceRest } from '../../../mailbox/accounts/account-maintenance';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { ReconcileJobs } from '../reconciling/reconcile-jobs';
import {
  type ArchivingOverview,
  ArchivingSettingsRepository,
} from '../settings/archiving-settings.repository';
import { CopyJobs } from './copy-jobs';
import { addCounts, type CopyCounts, MessageCopier, NO_COUNTS } from './message-copier';
import { troubleOf } from './trouble';

/** Limits of a chore, in messages and in time; a larger backlog is left to a job. */
const AT_ONCE = 50;
const COPY_MS = 10_000;
/** Passes at a time: one fetches while the other one writes its last messages. */
const JOB_PASSES = 2;
const JOB_AT_ONCE = 100;
/** Time for which a pass fetches: well below the lease of two minutes, because calls with spare priority may wait for one. */
const JOB_COPY_MS = 45_000;
/** A history that was followed so recently is not followed again. */
const FRESH_MS = 5_000;
/** Rest of accounts that are off or paused. */
const REST: MaintenanceRest = { dueAgainInSeconds: 300 };
const DAY_MS = 86_400_000;

/** Counts of a job, without what a killed attempt did after its last checkpoint. */
export interface BacklogResult extends CopyCounts {
  readonly [count: string]: unknown;
  /** Whether the storage quota kept it from copying everything. */
  readonly isFull: boolean;
}

/** Keeps the archive of a mailbox complete: follows its history, and copies what is missing. See ADR 72. */
@Injectable()
export class ContinuousArchiver {
  private readonly logger = new Logger(ContinuousArchiver.name);

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
    await this.recordTrouble(account, async () => {
      // The ledger follows the index.
      await this.index.sync(account, { priority: 'background', maxAgeMs: FRESH_MS, signal });
      await this.settings.recordLook(account.id);
      if (settings.rejudgeSince) await this.rejudge(account.id, settings.rejudgeSince);
      const overview = await this.settings.findOverview(account.userId, account.id);
      if (!overview) return;
      if (!overview.exact || isDue(overview, new Date())) await this.reconcileJobs.ensure(account);
      await this.copyNewest(account, overview, signal);
    });
    await this.settings.recordFirstFill(account.id);
  }

  /** Copies everything that is due, for a job. */
  async copyBacklog(account: ProviderAccount, job: JobContext): Promise<BacklogResult> {
    let done: BacklogResult = job.savedCheckpoint<BacklogResult>() ?? { ...NO_COUNTS, isFull: false };
    const onProgress = (counts: CopyCounts): void => {
      done = { ...done, ...addCounts(done, counts) };
      job.progress({ processed: processedBy(counts) });
    };
    await this.recordTrouble(account, async () => {
      for (;;) {
        job.throwIfCancelled();
        const overview = await this.settings.findOverview(account.userId, account.id);
        if (!overview || !isCopying(overview) || overview.isFull) break;
        job.setTotal(processedBy(done) + overview.pending);
        const before = done.copied + done.recovered;
        const request = {
          limit: JOB_AT_ONCE,
          until: Date.now() + JOB_COPY_MS,
          priority: 'spare',
          signal: job.signal,
          onProgress,
        } as const;
        const passes = await Promise.allSettled(
          Array.from({ length: JOB_PASSES }, () => this.copier.copy(account, overview.exclusions, request)),
        );
        if (done.copied + done.recovered > before) await this.settings.recordCopied(account.id);
        const finished = passes.flatMap((pass) => (pass.status === 'fulfilled' ? [pass.value] : []));
        done = { ...done, isFull: finished.some(({ isFull }) => isFull) };
        job.report(done);
        await job.checkpoint(done);
        const failed = passes.find((pass) => pass.status === 'rejected');
        if (failed) throw failed.reason;
        if (done.isFull || finished.every(({ taken }) => taken === 0)) break;
      }
    });
    await this.settings.recordFirstFill(account.id);
    return done;
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

  /** Runs work, and records what kept it from copying, for the account's state. */
  private async recordTrouble(account: ProviderAccount, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      await this.settings.setTrouble(account.id, null);
    } catch (error) {
      const trouble = error instanceof JobInterrupted ? null : troubleOf(error);
      if (trouble) {
        this.logger.debug(`Archiving of ${account.id} waits for the ${trouble}: ${String(error)}`);
        await this.settings.setTrouble(account.id, trouble);
      }
      throw error;
    }
  }
}

const isCopying = ({ mode, paused }: ArchivingOverview): boolean => mode === 'keep' && !paused;

const isDue = ({ reconciledAt, reconcileDays }: ArchivingOverview, now: Date): boolean =>
  reconciledAt === null || now.getTime() - reconciledAt.getTime() >= reconcileDays * DAY_MS;

const processedBy = (counts: CopyCounts): number => counts.copied + counts.recovered + counts.excluded;
