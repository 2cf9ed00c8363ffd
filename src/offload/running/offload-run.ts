import type { ArchiveHoldsRepository } from '../../archive/holds/archive-holds.repository';
import type { ArchivedCopiesRepository } from '../../archive/holds/archived-copies.repository';
import { MailboxAccountGone } from '../../archive/archive.errors';
import type { ArchiveWritesRepository } from '../../archive/writing/archive-writes.repository';
import type { Transaction, Transactions } from '../../common/database/transactions';
import type { MailKeys } from '../../encryption/mail-keys';
import { ArchiveStoreUnreadable, describeStoreFailure, StoreFailure } from '../../integrity/integrity.errors';
import type { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import type { JobContext } from '../../jobs/job-definition';
import type { MailboxProvider, ProviderAccount } from '../../mail-provider/mailbox-provider.port';
import type { MessageIndexService } from '../../message-index/message-index.service';
import { VerificationTooSlow } from '../offload.errors';
import { BATCH_MESSAGES, OffloadPlan, PlanCounts } from '../plans/offload-plan';
import type { Blocking, MovableItem, OffloadItemsRepository } from '../plans/offload-items.repository';
import type { OffloadPlansRepository, PlanProgress } from '../plans/offload-plans.repository';
import { type BatchVerifier, type HeldItem, isSameFile } from './batch-verifier';
import { watchHistory } from './history-watch';
import { hasMoved, LabelChanges } from './label-changes';
import { type SettledItem, type SettleOptions, type TrashMover, VERIFIED_MINUTES } from './trash-mover';

const CHANGED_SINCE = 'changed-since-plan';
const CHANGED_MEANWHILE = 'changed-meanwhile';
/** Batches in a row that neither moved nor blocked anything. */
const MAX_IDLE = 3;

/** Counts of the plan's messages that the job has reported. */
interface Reported {
  /** In the trash when this job began. */
  readonly before: number;
  /** Still to be moved then. */
  readonly total: number;
  processed: number;
}

export interface OffloadRunServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly plans: OffloadPlansRepository;
  readonly items: OffloadItemsRepository;
  readonly holds: ArchiveHoldsRepository;
  readonly copies: ArchivedCopiesRepository;
  readonly archive: ArchiveWritesRepository;
  readonly findings: IntegrityFindingsService;
  readonly verifier: BatchVerifier;
  readonly mover: TrashMover;
  readonly transactions: Transactions;
}

/**
 * Moves the messages of a confirmed plan to the trash, batch by batch: what changed since the plan stays; the copies of
 * the rest are held, read and compared; only then one call moves their messages; and the history says what became of
 * each. The plan's own rows say how far each message has come, so that an attempt that was lost is gone on with: what was
 * being verified is verified again, and what was being moved is settled from the cursor stored before the call.
 */
export class OffloadRun {
  private progress: PlanProgress;
  private reported: Reported;
  private idle = 0;

  /** @param keys of encrypted copies; null: no passphrase was given */
  constructor(
    private readonly account: ProviderAccount,
    private readonly plan: OffloadPlan,
    private readonly keys: MailKeys | null,
    private readonly job: JobContext,
    private readonly services: OffloadRunServices,
  ) {
    const { cursor, isHistoryLost, batches } = plan;
    if (cursor === null) throw new TypeError('A plan without a cursor has not been made yet');
    this.progress = { cursor, isHistoryLost, batches };
  }

  /** @throws ArchiveStoreUnreadable, VerificationTooSlow, MailboxAccountGone, the provider taxonomy */
  async run(): Promise<PlanCounts> {
    const counts = await this.services.items.counts(this.plan);
    const fresh = { before: counts.trashed, total: counts.left, processed: 0 };
    this.reported = this.job.savedCheckpoint<Reported>() ?? fresh;
    this.job.setTotal(this.reported.total);
    await this.job.checkpoint(this.reported);
    // Their copies may have been let go of since they were verified: what was not moved is verified again.
    await this.settle(await this.services.items.beingMoved(this.plan), { mayRepeat: false });
    for (;;) {
      this.job.throwIfCancelled();
      await this.follow();
      const batch = await this.services.items.nextMovable(this.plan, BATCH_MESSAGES);
      if (batch.length === 0) return this.services.items.counts(this.plan);
      await this.move(batch);
    }
  }

  private async move(batch: readonly MovableItem[]): Promise<void> {
    const before = await this.services.items.counts(this.plan);
    const verified = await this.verify(await this.hold(await this.withoutMoved(batch)));
    if (verified.length > 0) {
      // Somebody may have taken an interest while the copies were read, for minutes perhaps.
      await this.follow(verified);
      const moving = await this.beginMove(verified);
      if (moving.length > 0) {
        await this.services.mover.request(this.services.provider, moving, this.job.signal);
        await this.settle(moving, { mayRepeat: true });
      }
    }
    await this.services.holds.release(this.plan.id, mailsOf(batch));
    const after = await this.report();
    this.idle = after.left < before.left ? 0 : this.idle + 1;
    if (this.idle >= MAX_IDLE) throw new VerificationTooSlow();
  }

  /**
   * Blocks what has been moved, marked or deleted since the history was last read.
   * @param verified messages that are about to be moved
   */
  private async follow(verified: readonly HeldItem[] = []): Promise<void> {
    const moving = new Set(verified.map(({ item }) => item.position));
    const changes = new LabelChanges();
    const watched = await watchHistory(
      this.services,
      this.account,
      this.progress.cursor,
      (page) => changes.add(page),
      this.job.signal,
    );
    const touched = await this.services.items.movableAmong(this.plan, changes.ids);
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

  /** Where the history is not the whole story, the messages themselves are asked for. */
  private async withoutMoved(batch: readonly MovableItem[]): Promise<readonly MovableItem[]> {
    if (!this.progress.isHistoryLost) return batch;
    const labels = await this.services.mover.labelsNow(this.account, batch, this.job.signal);
    const blocked = batch.flatMap(({ position, messageId, labels: planned }): Blocking[] => {
      const now = labels.get(messageId);
      if (!now) return [{ position, reason: 'gone' }];
      return hasMoved(planned, now, this.plan.allowed) ? [{ position, reason: CHANGED_SINCE }] : [];
    });
    await this.save(blocked, this.progress);
    return without(batch, blocked);
  }

  /** From now on the copies are neither deleted nor replaced. */
  private async hold(batch: readonly MovableItem[]): Promise<readonly HeldItem[]> {
    const { holds, copies, items } = this.services;
    const mailIds = batch.map(({ mailId }) => mailId);
    return this.locked(async (transaction) => {
      await holds.hold(this.plan, this.plan.id, mailIds, transaction);
      const found = await copies.ofMails(this.plan, mailIds, transaction);
      const held: HeldItem[] = [];
      const blocked: Blocking[] = [];
      for (const item of batch) {
        const copy = found.get(item.mailId);
        if (!copy) blocked.push({ position: item.position, reason: 'not-archived' });
        // What is in the file of a plain mail is seen when it is read.
        else if (copy.isEncrypted && copy.contentSha256 !== item.sha256)
          blocked.push({ position: item.position, reason: CHANGED_SINCE });
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
    const at = await items.now();
    const { whole, compared, blocked, unavailable } = await verifier
      .verify(this.plan, held, { mode, keys: this.keys, provider, signal: this.job.signal })
      .catch((error: unknown) => {
        throw error instanceof StoreFailure ? new ArchiveStoreUnreadable(describeStoreFailure(error)) : error;
      });
    const positions = whole.map(({ item }) => item.position);
    await this.recordDifferences(held, blocked);
    await transactions.run(async (transaction) => {
      await items.markVerified(this.plan, { at, positions, compared }, transaction);
      await items.block(this.plan, blocked, transaction);
    });
    // What has been compared is not fetched again: the job is put off, or fails, with it on record.
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

  /** Notes which messages are about to be moved, and since when the history says what becomes of them. */
  private async beginMove(verified: readonly HeldItem[]): Promise<readonly MovableItem[]> {
    const { holds, copies, items } = this.services;
    return this.locked(async (transaction) => {
      const mailIds = verified.map(({ copy }) => copy.mailId);
      const held = await holds.heldBy(this.plan.id, mailIds, transaction);
      const now = await copies.ofMails(this.plan, mailIds, transaction);
      // Encrypted since it was read: the next batch reads the other file.
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
      return moving.map(({ item }) => item);
    });
  }

  /** Finds out what became of messages that were to be moved, and commits it. */
  private async settle(moving: readonly MovableItem[], options: SettleOptions): Promise<void> {
    if (moving.length === 0) return;
    const { items, copies, plans, mover } = this.services;
    const settled = await mover.settle(this.account, this.plan, this.progress, moving, options, this.job);
    const of = (outcome: SettledItem['outcome']): MovableItem[] =>
      settled.items.flatMap((each) => (each.outcome === outcome ? [each.item] : []));
    const trashed = of('trashed');
    const again = of('again');
    const blocked = settled.items.flatMap(({ item: { position }, outcome }): Blocking[] =>
      outcome === 'trashed' || outcome === 'again' ? [] : [{ position, reason: outcome }],
    );
    const changed = await items.movableAmong(this.plan, settled.others.ids);
    for (const { position, messageId, labels } of changed) {
      const now = settled.others.labelsOf(messageId, labels);
      if (now === null) blocked.push({ position, reason: 'gone' });
      else if (hasMoved(labels, now, this.plan.allowed)) blocked.push({ position, reason: CHANGED_SINCE });
    }
    const progress: PlanProgress = {
      cursor: settled.cursor,
      isHistoryLost: this.progress.isHistoryLost || !settled.complete,
      batches: this.progress.batches + (trashed.length > 0 ? 1 : 0),
    };
    await this.locked(async (transaction) => {
      await items.markTrashed(this.plan, positionsOf(trashed), transaction);
      await items.block(this.plan, blocked, transaction);
      await items.markReady(this.plan, positionsOf(again), transaction);
      await copies.markOffloaded(this.plan, this.plan.id, mailsOf(trashed), transaction);
      const staying = moving.filter((item) => !trashed.includes(item));
      await copies.markStaying(this.plan, this.plan.id, mailsOf(staying), transaction);
      await this.services.holds.release(this.plan.id, mailsOf(moving), transaction);
      await plans.advance(this.plan, this.plan.id, progress, transaction);
      await plans.setCounts(this.plan, this.plan.id, await items.counts(this.plan, transaction), transaction);
    });
    this.progress = progress;
    await this.report();
  }

  /** The job says what the rows say, however often its process was lost. */
  private async report(): Promise<PlanCounts> {
    const counts = await this.services.items.counts(this.plan);
    const processed = counts.trashed - this.reported.before;
    this.job.progress({ processed: processed - this.reported.processed });
    this.reported.processed = processed;
    this.job.report({ planId: this.plan.id, ...counts });
    await this.job.checkpoint(this.reported);
    return counts;
  }

  private async save(blocked: readonly Blocking[], progress: PlanProgress): Promise<void> {
    const { items, plans, transactions } = this.services;
    await transactions.run(async (transaction) => {
      await items.block(this.plan, blocked, transaction);
      await plans.advance(this.plan, this.plan.id, progress, transaction);
    });
    this.progress = progress;
  }

  private locked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.services.transactions.run(async (transaction) => {
      if (!(await this.services.archive.lockArchive(this.plan, transaction))) throw new MailboxAccountGone();
      return work(transaction);
    });
  }
}

const positionsOf = (items: readonly MovableItem[]): number[] => items.map(({ position }) => position);
const mailsOf = (items: readonly MovableItem[]): string[] => items.map(({ mailId }) => mailId);

function without(batch: readonly MovableItem[], blocked: readonly Blocking[]): readonly MovableItem[] {
  const positions = new Set(blocked.map(({ position }) => position));
  return batch.filter(({ position }) => !positions.has(position));
}
