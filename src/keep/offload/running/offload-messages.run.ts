import type { ArchiveHolds } from '../../../archive/mails/holds/archive-holds';
import type { ArchivedCopies } from '../../../archive/mails/holds/archived-copies';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import type { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import { type DelayedAbort, delayedAbort } from '../../../platform/concurrency/abortable';
import type { Transaction, Transactions } from '../../../platform/database/transactions';
import { describeError } from '../../../platform/logging/describe-error';
import type { MailKeys } from '../../../archive/passphrases/mail-keys';
import { ArchiveStoreUnreadable, describeStoreFailure, StoreFailure } from '../../integrity/integrity.errors';
import type { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { JobInterrupted } from '../../../platform/jobs/jobs.errors';
import type { MailboxProvider, ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';
import type { RemovalForecast, WouldRemove } from '../../../archive/retention/removal-forecast';
import { VerificationTooSlow } from '../offload.errors';
import { BATCH_MESSAGES, OffloadPlan, PlanCounts, TRASH_DAYS } from '../plans/offload-plan';
import type { Blocking, MovableItem, OffloadItemsRepository } from '../plans/offload-items.repository';
import type { OffloadPlansRepository, PlanProgress } from '../plans/offload-plans.repository';
import { type BatchVerifier, type HeldItem, isSameFile } from './batch-verifier';
import { watchHistory } from './history-watch';
import { hasMoved, LabelChanges } from './label-changes';
import type { OutcomeRecorder } from './outcome-recorder';
import { type OffloadTimings, type TrashMover, VERIFIED_MINUTES } from './trash-mover';

const CHANGED_SINCE = 'changed-since-plan';
const CHANGED_MEANWHILE = 'changed-meanwhile';
/** Batches in a row that neither moved nor blocked anything. */
const MAX_IDLE = 3;

/** Counts of the plan's messages as the job reports them. */
interface Reported {
  /** Messages in the trash when this job began. */
  readonly before: number;
  /** Messages still to be moved when this job began. */
  readonly total: number;
  processed: number;
}

export interface OffloadMessagesServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly plans: OffloadPlansRepository;
  readonly items: OffloadItemsRepository;
  readonly holds: ArchiveHolds;
  readonly copies: ArchivedCopies;
  readonly archiveLock: ArchiveLock;
  readonly findings: IntegrityFindingsService;
  readonly verifier: BatchVerifier;
  readonly mover: TrashMover;
  readonly recorder: OutcomeRecorder;
  readonly forecast: RemovalForecast;
  readonly timings: OffloadTimings;
  readonly transactions: Transactions;
}

/**
 * Moves the messages of a confirmed plan to the trash, batch by batch: messages that changed since the plan stay; the copies of
 * the rest are held, read and compared; only then one call moves their messages; and the history shows the outcome of each. The
 * rows of the plan store the progress of each message, so that a lost attempt can be continued: messages that were being
 * verified are verified again, and the outcome of those that were being moved is read from the cursor stored before the call.
 */
export class OffloadMessagesRun {
  private progress: PlanProgress;
  private reported: Reported | undefined;
  private idle = 0;
  /** Aborts some time after the job's signal, so that a batch that was begun can be completed. */
  private grace: DelayedAbort;
  private mayRecord = true;
  private readonly fence = (): void => this.job.assertLeased();

  /** @param keys of encrypted copies; null: no passphrase was given */
  constructor(
    private readonly account: ProviderAccount,
    private readonly plan: OffloadPlan,
    private readonly keys: MailKeys | null,
    private readonly job: JobContext,
    private readonly services: OffloadMessagesServices,
  ) {
    const { cursor, isHistoryLost, batches } = plan;
    if (cursor === null) throw new TypeError('A plan without a cursor has not been made yet');
    this.progress = { cursor, isHistoryLost, batches };
  }

  /** @throws ArchiveStoreUnreadable, VerificationTooSlow, MailboxAccountGone, the provider taxonomy */
  async run(): Promise<PlanCounts> {
    const grace = delayedAbort(this.job.signal, this.services.timings.graceMs);
    this.grace = grace;
    try {
      return await this.moveAll();
    } catch (error) {
      await this.recordInterruptedOutcomes();
      throw error;
    } finally {
      grace.release();
    }
  }

  private async moveAll(): Promise<PlanCounts> {
    const counts = await this.services.items.countByState(this.plan);
    const total = counts.left + (counts.unknown ?? 0);
    const fresh = { before: counts.trashed, total, processed: 0 };
    this.reported = this.job.savedCheckpoint<Reported>() ?? fresh;
    this.job.setTotal(this.reported.total);
    await this.job.checkpoint(this.reported);
    // Their copies may have been released since they were verified: messages that were not moved are verified again.
    await this.recordOutcomes(await this.services.items.listUnresolved(this.plan), { mayRepeat: false });
    for (;;) {
      this.job.throwIfCancelled();
      await this.blockChanged();
      const batch = await this.services.items.listNextMovable(this.plan, BATCH_MESSAGES);
      if (batch.length === 0) return this.services.items.countByState(this.plan);
      await this.move(batch);
    }
  }

  private async move(batch: readonly MovableItem[]): Promise<void> {
    const before = await this.services.items.countByState(this.plan);
    const verified = await this.verify(await this.hold(await this.blockMoved(batch)));
    if (verified.length > 0) {
      // The user or another program may have changed messages while the copies were read, perhaps for minutes.
      await this.blockChanged(verified);
      const moving = await this.beginMove(verified);
      if (moving.length > 0) {
        await this.request(moving);
        await this.recordOutcomes(moving, { mayRepeat: true });
      }
    }
    await this.release(batch);
    const after = await this.report();
    this.idle = after.left < before.left ? 0 : this.idle + 1;
    if (this.idle >= MAX_IDLE) throw new VerificationTooSlow();
  }

  private release(batch: readonly MovableItem[]): Promise<number> {
    const { holds, transactions } = this.services;
    return transactions.run(async (transaction) => {
      // Another attempt may hold the copies by now, for the same plan.
      await this.job.requireHeld(transaction);
      return holds.release(this.plan.id, mailsOf(batch), transaction);
    });
  }

  private async request(moving: readonly MovableItem[]): Promise<void> {
    const { mover, provider } = this.services;
    try {
      await mover.request(provider, moving, { signal: this.grace.signal, fence: this.fence });
    } catch (error) {
      // The answer was lost: the provider may still perform the call, and reading the outcome at once would be too early.
      this.mayRecord = error instanceof JobInterrupted && !this.grace.signal.aborted;
      throw error;
    }
  }

  /**
   * Blocks messages that were moved, marked or deleted since the history was last read.
   * @param verified messages that are about to be moved
   */
  private async blockChanged(verified: readonly HeldItem[] = []): Promise<void> {
    const moving = new Set(verified.map(({ item }) => item.position));
    const changes = new LabelChanges();
    const watched = await watchHistory(
      this.services,
      this.account,
      this.progress.cursor,
      (page) => changes.add(page),
      {
        signal: this.job.signal,
        isLastLook: verified.length > 0,
        lagMs: this.services.timings.historyLagMs,
      },
    );
    const touched = await this.services.items.findMovable(this.plan, changes.ids);
    const blocked = touched.flatMap(({ position, messageId, labels }): Blocking[] => {
      const now = changes.labelsOf(messageId, labels);
      if (now === null) return [{ position, reason: 'gone' }];
      if (!hasMoved(labels, now, this.plan.allowed)) return [];
      return [{ position, reason: moving.has(position) ? CHANGED_MEANWHILE : CHANGED_SINCE }];
    });
    await this.save(blocked, {
      ...this.progress,
      cursor: watched.cursor,
      isHistoryLost: this.progress.isHistoryLost || !watched.complete,
    });
  }

  /** Blocks messages that were moved where the history is incomplete, by their current labels. @returns the others */
  private async blockMoved(batch: readonly MovableItem[]): Promise<readonly MovableItem[]> {
    if (!this.progress.isHistoryLost) return batch;
    const labels = await this.services.mover.readLabels(this.account, batch, this.job.signal);
    const blocked = batch.flatMap(({ position, messageId, labels: planned }): Blocking[] => {
      const now = labels.get(messageId);
      if (!now) return [{ position, reason: 'gone' }];
      return hasMoved(planned, now, this.plan.allowed) ? [{ position, reason: CHANGED_SINCE }] : [];
    });
    await this.save(blocked, this.progress);
    return exclude(batch, blocked);
  }

  /** Forecast of the policies, some of which may have been created after the plan. */
  private forecastRemovals(): Promise<WouldRemove> {
    const { userId, accountId } = this.plan;
    return this.services.forecast.forecastRemovals(TRASH_DAYS, userId, accountId, { offloaded: true });
  }

  /** Holds the copies of a batch: they are neither deleted nor replaced until they are released. */
  private async hold(batch: readonly MovableItem[]): Promise<readonly HeldItem[]> {
    const { holds, copies, items } = this.services;
    const mailIds = batch.map(({ mailId }) => mailId);
    const wouldBeRemoved = await this.forecastRemovals();
    return this.runLocked(async (transaction) => {
      await holds.hold(this.plan, this.plan.id, mailIds, transaction);
      const found = await copies.findByMails(this.plan, mailIds, transaction);
      const held: HeldItem[] = [];
      const blocked: Blocking[] = [];
      for (const item of batch) {
        const copy = found.get(item.mailId);
        if (!copy) blocked.push({ position: item.position, reason: 'not-archived' });
        // The file of a plain mail is compared when it is read.
        else if (copy.isEncrypted && copy.contentSha256 !== item.sha256)
          blocked.push({ position: item.position, reason: CHANGED_SINCE });
        else if (wouldBeRemoved(copy))
          blocked.push({ position: item.position, reason: 'policy-would-remove' });
        else held.push({ item, copy });
      }
      await items.block(this.plan, blocked, transaction);
      return held;
    });
  }

  private async verify(held: readonly HeldItem[]): Promise<readonly HeldItem[]> {
    if (held.length === 0) return [];
    const { items, verifier, provider, transactions } = this.services;
    const { mode } = this.plan;
    const at = await items.readClock();
    const { whole, compared, blocked, unavailable } = await verifier
      .verify(this.plan, held, { mode, keys: this.keys, provider, signal: this.job.signal })
      .catch((error: unknown) => {
        throw error instanceof StoreFailure ? new ArchiveStoreUnreadable(describeStoreFailure(error)) : error;
      });
    const positions = whole.map(({ item }) => item.position);
    await this.recordDifferences(held, blocked);
    await transactions.run(async (transaction) => {
      await this.job.requireHeld(transaction);
      await items.markVerified(this.plan, { at, positions, compared }, transaction);
      await items.block(this.plan, blocked, transaction);
    });
    // Comparisons are stored, so that they need not be repeated when the job is postponed or fails here.
    if (unavailable && whole.length === 0) throw unavailable;
    return whole;
  }

  private async recordDifferences(held: readonly HeldItem[], blocked: readonly Blocking[]): Promise<void> {
    const differing = new Set(
      blocked.flatMap(({ position, reason }) => (reason === 'provider-differs' ? [position] : [])),
    );
    if (differing.size === 0) return;
    const found = held.filter(({ item }) => differing.has(item.position));
    await this.services.findings.record(
      this.plan,
      found.map(({ copy: { mailId: id, storage, storageKey, fileSha256: sha256 } }) => ({
        mail: { id, storage, storageKey, sha256 },
        problem: 'differs',
      })),
    );
    await this.services.findings.notify(this.plan, held.length);
  }

  /** Records which messages are about to be moved, and the position from which the history shows their outcomes. */
  private async beginMove(verified: readonly HeldItem[]): Promise<readonly MovableItem[]> {
    const { holds, copies, items, plans } = this.services;
    return this.runLocked(async (transaction) => {
      const mailIds = verified.map(({ copy }) => copy.mailId);
      const held = await holds.findHeldByPlan(this.plan.id, mailIds, transaction);
      const now = await copies.findByMails(this.plan, mailIds, transaction);
      // A mail that was encrypted after it was read has another file, which the next batch reads.
      const same = verified.filter(({ copy }) => {
        const current = now.get(copy.mailId);
        return held.has(copy.mailId) && current !== undefined && isSameFile(current, copy);
      });
      const marked = await items.markTrashing(
        this.plan,
        same.map(({ item }) => item.position),
        VERIFIED_MINUTES,
        transaction,
      );
      const moving = same.filter(({ item }) => marked.has(item.position));
      await copies.markMoving(
        this.plan,
        this.plan.id,
        moving.map(({ copy }) => copy.mailId),
        transaction,
      );
      await plans.setCounts(
        this.plan,
        this.plan.id,
        await items.countByState(this.plan, transaction),
        transaction,
      );
      return moving.map(({ item }) => item);
    });
  }

  /** Finds out the outcomes of messages that were to be moved, and stores them. */
  private async recordOutcomes(
    moving: readonly MovableItem[],
    { mayRepeat }: { mayRepeat: boolean },
  ): Promise<void> {
    if (moving.length === 0) return;
    const { recorder } = this.services;
    const options = {
      mayRepeat,
      // Outcomes are recorded after a cancellation too.
      signal: this.grace.signal,
      fence: this.fence,
      require: (transaction: Transaction) => this.job.requireHeld(transaction),
    };
    try {
      this.progress = await recorder.record(this.account, this.plan, this.progress, moving, options);
    } catch (error) {
      this.mayRecord = error instanceof JobInterrupted;
      throw error;
    }
    await this.report();
  }

  /**
   * Records the outcomes that can be found out when the run ends in the middle of a batch, before the job reports its counts.
   * The rest counts as unknown until it is resolved later.
   */
  private async recordInterruptedOutcomes(): Promise<void> {
    if (this.isLost || !this.reported) return;
    try {
      const unresolved = await this.services.items.listUnresolved(this.plan);
      if (this.mayRecord) await this.recordOutcomes(unresolved, { mayRepeat: false });
    } catch (error) {
      // The job ends for the first reason; a report also throws when the job was cancelled.
      if (!(error instanceof JobInterrupted))
        this.job.logger.warn(
          `The outcomes of messages that were being moved will be looked up later: ${describeError(error).message}`,
        );
    }
    try {
      await this.note();
    } catch (error) {
      this.job.logger.warn(`Could not read the counts so far: ${describeError(error).message}`);
    }
  }

  /** Reports the counts of the rows, which do not depend on how often the process was lost. */
  private async report(): Promise<PlanCounts> {
    const counts = await this.note();
    await this.job.checkpoint(this.reported!);
    return counts;
  }

  /** Whether another process may work on the plan by now. */
  private get isLost(): boolean {
    const { aborted } = this.job.signal;
    const reason: unknown = this.job.signal.reason;
    return aborted && reason instanceof JobInterrupted && reason.interruption === 'lease-lost';
  }

  private async note(): Promise<PlanCounts> {
    const counts = await this.services.items.countByState(this.plan);
    const reported = this.reported!;
    const processed = counts.trashed - reported.before;
    this.job.progress({ processed: processed - reported.processed });
    reported.processed = processed;
    this.job.report({ planId: this.plan.id, ...counts });
    return counts;
  }

  private async save(blocked: readonly Blocking[], progress: PlanProgress): Promise<void> {
    const { items, plans, transactions } = this.services;
    await transactions.run(async (transaction) => {
      await this.job.requireHeld(transaction);
      await items.block(this.plan, blocked, transaction);
      await plans.advance(this.plan, this.plan.id, progress, transaction);
    });
    this.progress = progress;
  }

  private runLocked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.services.transactions.run(async (transaction) => {
      if (!(await this.services.archiveLock.acquire(this.plan, transaction))) throw new MailboxAccountGone();
      await this.job.requireHeld(transaction);
      return work(transaction);
    });
  }
}

const mailsOf = (items: readonly MovableItem[]): string[] => items.map(({ mailId }) => mailId);

function exclude(batch: readonly MovableItem[], blocked: readonly Blocking[]): readonly MovableItem[] {
  const positions = new Set(blocked.map(({ position }) => position));
  return batch.filter(({ position }) => !positions.has(position));
}
