import { Injectable } from '@nestjs/common';
import { ArchivedCopies, ArchivedCopy } from '../../../archive/mails/holds/archived-copies';
import { Transactions } from '../../../platform/database/transactions';
import { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { LedgerService } from '../../continuous/ledger/ledger.service';
import { MailboxDisconnected } from '../../../providers/port/mail-provider.errors';
import type { CallOptions, ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { RemovalForecast, type WouldRemove } from '../../../archive/retention/removal-forecast';
import { blockReasonOf } from '../block-reasons';
import { PlanGone } from '../offload.errors';
import { PlanDigest } from '../receipts/receipt';
import { MessageChoice } from './message-choice';
import { NewItem, OffloadItemsRepository } from './offload-items.repository';
import type { OffloadPlan, PlanFigures } from './offload-plan';
import { OffloadPlansRepository } from './offload-plans.repository';

const CHUNK = 500;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days after which Gmail empties its trash. */
export const TRASH_DAYS = 30;

/** Adds up the figures of a plan. */
class FigureCount {
  private selected = 0;
  private offloadable = 0;
  private bytes = 0;
  private encrypted = 0;
  private starred = 0;
  private important = 0;
  private oldest: Date | null = null;
  private newest: Date | null = null;

  /** Adds a message. @param copy of a message that can be moved; null: it cannot be moved */
  add(labels: readonly string[], copy: ArchivedCopy | null): void {
    this.selected += 1;
    if (!copy) return;
    this.offloadable += 1;
    this.bytes += copy.sizeBytes;
    if (copy.isEncrypted) this.encrypted += 1;
    if (labels.includes('STARRED')) this.starred += 1;
    if (labels.includes('IMPORTANT')) this.important += 1;
    if (!this.oldest || copy.date < this.oldest) this.oldest = copy.date;
    if (!this.newest || copy.date > this.newest) this.newest = copy.date;
  }

  get figures(): PlanFigures {
    const { selected, offloadable, bytes, encrypted, starred, important } = this;
    const oldest = this.oldest?.toISOString() ?? null;
    const newest = this.newest?.toISOString() ?? null;
    return { selected, offloadable, bytes, encrypted, starred, important, oldest, newest };
  }
}

/**
 * Chooses the messages of a plan and decides for each whether it can be moved. It changes neither the mailbox nor the
 * archive. It has ten dependencies because a plan asks the ledger, the copies, the findings and the retention policies about
 * each message.
 */
@Injectable()
export class OffloadPlanner {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly index: MessageIndexService,
    private readonly ledger: LedgerService,
    private readonly choice: MessageChoice,
    private readonly copies: ArchivedCopies,
    private readonly findings: IntegrityFindingsService,
    private readonly forecast: RemovalForecast,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes a plan ready to be confirmed. A lost attempt starts again from the beginning.
   * @throws PlanGone, SelectionTooLarge, RuleGone, the provider taxonomy
   */
  async plan(planId: string, job: JobContext): Promise<PlanFigures> {
    if (job.accountId === null) throw new MailboxDisconnected();
    const owner = { userId: job.userId, accountId: job.accountId };
    const account = await this.accounts.requireUsable(owner.userId, owner.accountId);
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new PlanGone();
    // The process ended between the commit of the plan and the end of the job.
    if (plan.status !== 'planning' && plan.figures) return plan.figures;
    await this.items.deleteAll(plan);
    const options: CallOptions = { priority: 'background', signal: job.signal };
    // The position is stored before the messages are chosen: later changes are noticed just before the messages are moved.
    await this.plans.setPlannedCursor(owner, planId, await this.index.sync(account, options));
    const ids = await this.choice.find(account, plan.selection, options);
    job.setTotal(ids.length);
    const { userId, accountId } = owner;
    const wouldBeRemoved = await this.forecast.forecastRemovals(TRASH_DAYS, userId, accountId, {
      offloaded: true,
    });
    const count = new FigureCount();
    const digest = new PlanDigest();
    for (let at = 0; at < ids.length; at += CHUNK) {
      job.throwIfCancelled();
      const chunk = ids.slice(at, at + CHUNK);
      const judged = await this.judge(account, plan, chunk, at, wouldBeRemoved, options);
      for (const { item, copy } of judged) {
        const { messageId, sha256, sizeBytes, labels, reason } = item;
        const movable = reason === null ? copy : null;
        count.add(labels, movable);
        if (movable && sha256 !== null && sizeBytes !== null)
          digest.add({ messageId, sha256, size: sizeBytes });
      }
      await this.items.insert(
        plan,
        judged.map(({ item }) => item),
      );
      job.progress({ processed: chunk.length });
    }
    return this.commit(plan, count.figures, digest.digest());
  }

  private async judge(
    account: ProviderAccount,
    plan: OffloadPlan,
    ids: readonly string[],
    from: number,
    wouldBeRemoved: WouldRemove,
    options: CallOptions,
  ): Promise<{ item: NewItem; copy: ArchivedCopy | null }[]> {
    const copies = await this.copies.findByMessages(plan, ids);
    const chosen = ids.filter((id) => isChosen(copies.get(id), plan));
    const found = await this.findings.findAmong(
      plan,
      chosen.flatMap((id) => copies.get(id)?.mailId ?? []),
    );
    const labels = await this.labelsOf(
      account,
      chosen.filter((id) => copies.has(id)),
      options,
    );
    return chosen.map((messageId, position) => {
      const copy = copies.get(messageId) ?? null;
      const candidate = {
        // A message without a copy stays in any case: its labels do not matter.
        labelIds: copy ? (labels.get(messageId) ?? null) : [],
        copy,
        finding: copy ? (found.get(copy.mailId) ?? null) : null,
        wouldBeRemoved: copy !== null && wouldBeRemoved(copy),
      };
      const item = {
        position: from + position,
        messageId,
        mailId: copy?.mailId ?? null,
        messageIdHeader: copy?.messageIdHeader ?? null,
        sha256: copy?.contentSha256 ?? null,
        sizeBytes: copy?.sizeBytes ?? null,
        labels: candidate.labelIds ?? [],
        reason: blockReasonOf(candidate, plan.allowed),
      };
      return { item, copy };
    });
  }

  /** Labels by message id, of those messages that the mailbox has. */
  private async labelsOf(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const known = new Map(await this.index.findLabels(account.id, ids));
    const unindexed = ids.filter((id) => !known.has(id));
    if (unindexed.length === 0) return known;
    // Requesting each of them from the provider would cost more than moving them.
    for (const [id, labels] of await this.ledger.labelsOf(account.id, unindexed)) known.set(id, labels);
    const missing = unindexed.filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    for await (const messages of this.index.readMetadata(account, missing, options)) {
      for (const { id, labelIds } of messages) known.set(id, labelIds);
    }
    return known;
  }

  private async commit(plan: OffloadPlan, figures: PlanFigures, digest: string): Promise<PlanFigures> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.plans.lock(plan, plan.id, transaction))) throw new PlanGone();
      const counts = await this.items.countByState(plan, transaction);
      await this.plans.markReady(plan, plan.id, { figures, counts, digest }, transaction);
      return figures;
    });
  }
}

/**
 * Whether a message is old and large enough. Age and size of a message without a copy are not known: it is shown, and stays.
 */
function isChosen(copy: ArchivedCopy | undefined, { selection }: OffloadPlan): boolean {
  const { olderThanDays, largerThan } = selection;
  if (!copy) return true;
  if (largerThan !== undefined && copy.sizeBytes <= largerThan) return false;
  return olderThanDays === undefined || copy.date.getTime() <= Date.now() - olderThanDays * DAY_MS;
}
