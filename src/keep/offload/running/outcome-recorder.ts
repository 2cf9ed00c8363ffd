import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import { ArchiveHolds } from '../../../archive/mails/holds/archive-holds';
import { ArchivedCopies } from '../../../archive/mails/holds/archived-copies';
import { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import { UndoService } from '../../../mailbox/bulk/undo.service';
import { type Transaction, Transactions } from '../../../platform/database/transactions';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import type { Blocking, MovableItem } from '../plans/offload-items.repository';
import { OffloadItemsRepository } from '../plans/offload-items.repository';
import type { OffloadPlan } from '../plans/offload-plan';
import { OffloadPlansRepository, type PlanProgress } from '../plans/offload-plans.repository';
import { hasMoved } from './label-changes';
import { type ItemOutcome, type OutcomeOptions, TrashMover } from './trash-mover';

export interface RecordOptions extends OutcomeOptions {
  /**
   * Throws when the outcome must not be written, since another process may work on the plan. Runs in the transaction that
   * writes.
   */
  require(transaction: Transaction): Promise<void>;
}

/**
 * Finds out the outcomes of messages that were being moved, and stores them with the chunk of the journal that undoes the move.
 */
@Injectable()
export class OutcomeRecorder {
  constructor(
    private readonly mover: TrashMover,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly copies: ArchivedCopies,
    private readonly holds: ArchiveHolds,
    private readonly archiveLock: ArchiveLock,
    private readonly undo: UndoService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Finds out and stores the outcomes of messages. Can be repeated.
   * @param progress position of the history before the messages were moved. @returns the position now
   * @throws MailboxAccountGone, what `require` throws, the provider taxonomy
   */
  async record(
    account: ProviderAccount,
    plan: OffloadPlan,
    progress: PlanProgress,
    moving: readonly MovableItem[],
    options: RecordOptions,
  ): Promise<PlanProgress> {
    const { copies, holds, items, plans, undo } = this;
    const resolved = await this.mover.resolveOutcomes(account, plan, progress, moving, options);
    const of = (outcome: ItemOutcome['outcome']): MovableItem[] =>
      resolved.items.flatMap((each) => (each.outcome === outcome ? [each.item] : []));
    const [trashed, gone, again] = [of('trashed'), of('gone'), of('again')];
    const blocked = resolved.items.flatMap(({ item: { position }, outcome }): Blocking[] =>
      outcome === 'trashed' || outcome === 'again' ? [] : [{ position, reason: outcome }],
    );
    // The other messages of a plan that has ended stay as its receipt says.
    const changed = plan.status === 'done' ? [] : await items.findMovable(plan, resolved.others.ids);
    for (const { position, messageId, labels } of changed) {
      const now = resolved.others.labelsOf(messageId, labels);
      if (now === null) blocked.push({ position, reason: 'gone' });
      else if (hasMoved(labels, now, plan.allowed)) blocked.push({ position, reason: 'changed-since-plan' });
    }
    const after: PlanProgress = {
      cursor: resolved.cursor,
      isHistoryLost: progress.isHistoryLost || !resolved.complete,
      batches: progress.batches + (trashed.length > 0 ? 1 : 0),
    };
    const away = new Set([...trashed, ...gone]);
    await this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(plan, transaction))) throw new MailboxAccountGone();
      await options.require(transaction);
      await items.markTrashed(plan, positionsOf(trashed), transaction);
      await items.block(plan, blocked, transaction);
      await items.markReady(plan, positionsOf(again), transaction);
      await copies.markOffloaded(plan, plan.id, mailsOf(trashed), transaction);
      // The copy may be the only one: the trash may have been emptied before it was read.
      await copies.markGone(plan, plan.id, mailsOf(gone), transaction);
      const staying = moving.filter((item) => !away.has(item));
      await copies.markStaying(plan, plan.id, mailsOf(staying), transaction);
      await holds.release(plan.id, mailsOf(moving), transaction);
      await plans.advance(plan, plan.id, after, transaction);
      await plans.setCounts(plan, plan.id, await items.countByState(plan, transaction), transaction);
      const { jobId, userId, accountId } = plan;
      if (resolved.undo && jobId !== null)
        await undo.recordChanges({ jobId, userId, accountId }, resolved.undo, transaction);
    });
    return after;
  }
}

const positionsOf = (items: readonly MovableItem[]): number[] => items.map(({ position }) => position);
const mailsOf = (items: readonly MovableItem[]): string[] => items.map(({ mailId }) => mailId);
