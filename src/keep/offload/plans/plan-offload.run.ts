import type { ArchivedCopies, ArchivedCopy } from '../../../archive/mails/holds/archived-copies';
import type { Transactions } from '../../../platform/database/transactions';
import type { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { LedgerService } from '../../continuous/ledger/ledger.service';
import type { CallOptions, ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';
import type { RemovalForecast, WouldRemove } from '../../../archive/retention/removal-forecast';
import { blockReasonOf } from '../block-reasons';
import { PlanGone } from '../offload.errors';
import { PlanDigest } from '../receipts/receipt';
import type { MessageChoice } from './message-choice';
import type { NewItem, OffloadItemsRepository } from './offload-items.repository';
import { type OffloadPlan, type PlanFigures, TRASH_DAYS } from './offload-plan';
import type { OffloadPlansRepository } from './offload-plans.repository';

const CHUNK = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

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

export interface PlanOffloadServices {
  readonly index: MessageIndexService;
  readonly ledger: LedgerService;
  readonly choice: MessageChoice;
  readonly copies: ArchivedCopies;
  readonly findings: IntegrityFindingsService;
  readonly forecast: RemovalForecast;
  readonly plans: OffloadPlansRepository;
  readonly items: OffloadItemsRepository;
  readonly transactions: Transactions;
}

/**
 * Chooses the messages of a plan and decides for each whether it can be moved. It changes neither the mailbox nor the
 * archive.
 */
export class PlanOffloadRun {
  constructor(
    private readonly account: ProviderAccount,
    private readonly plan: OffloadPlan,
    private readonly job: JobContext,
    private readonly services: PlanOffloadServices,
  ) {}

  /**
   * Makes a plan ready to be confirmed. A lost attempt starts again from the beginning.
   * @throws PlanGone, SelectionTooLarge, RuleGone, the provider taxonomy
   */
  async run(): Promise<PlanFigures> {
    const { account, plan, job } = this;
    const { index, choice, forecast, plans, items } = this.services;
    await items.deleteAll(plan);
    const { options } = this;
    // The position is stored before the messages are chosen: later changes are noticed just before the messages are moved.
    await plans.setPlannedCursor(plan, plan.id, await index.sync(account, options));
    const ids = await choice.find(account, plan.selection, options);
    job.setTotal(ids.length);
    const { userId, accountId } = plan;
    const wouldBeRemoved = await forecast.forecastRemovals(TRASH_DAYS, userId, accountId, {
      offloaded: true,
    });
    const count = new FigureCount();
    const digest = new PlanDigest();
    for (let at = 0; at < ids.length; at += CHUNK) {
      job.throwIfCancelled();
      const chunk = ids.slice(at, at + CHUNK);
      const judged = await this.judge(chunk, at, wouldBeRemoved);
      for (const { item, copy } of judged) {
        const { messageId, sha256, sizeBytes, labels, reason } = item;
        const movable = reason === null ? copy : null;
        count.add(labels, movable);
        if (movable && sha256 !== null && sizeBytes !== null)
          digest.add({ messageId, sha256, size: sizeBytes });
      }
      await items.insert(
        plan,
        judged.map(({ item }) => item),
      );
      job.progress({ processed: chunk.length });
    }
    return this.commit(count.figures, digest.digest());
  }

  private get options(): CallOptions {
    return { priority: 'background', signal: this.job.signal };
  }

  private async judge(
    ids: readonly string[],
    from: number,
    wouldBeRemoved: WouldRemove,
  ): Promise<{ item: NewItem; copy: ArchivedCopy | null }[]> {
    const { plan, services } = this;
    const copies = await services.copies.findByMessages(plan, ids);
    const chosen = ids.filter((id) => isChosen(copies.get(id), plan));
    const found = await services.findings.findAmong(
      plan,
      chosen.flatMap((id) => copies.get(id)?.mailId ?? []),
    );
    const labels = await this.labelsOf(chosen.filter((id) => copies.has(id)));
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
  private async labelsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const { account, options } = this;
    const { index, ledger } = this.services;
    const known = new Map(await index.findLabels(account.id, ids));
    const unindexed = ids.filter((id) => !known.has(id));
    if (unindexed.length === 0) return known;
    // Requesting each of them from the provider would cost more than moving them.
    for (const [id, labels] of await ledger.labelsOf(account.id, unindexed)) known.set(id, labels);
    const missing = unindexed.filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    for await (const messages of index.readMetadata(account, missing, options)) {
      for (const { id, labelIds } of messages) known.set(id, labelIds);
    }
    return known;
  }

  private async commit(figures: PlanFigures, digest: string): Promise<PlanFigures> {
    const { plan } = this;
    const { items, plans, transactions } = this.services;
    return transactions.run(async (transaction) => {
      if (!(await plans.lock(plan, plan.id, transaction))) throw new PlanGone();
      const counts = await items.countByState(plan, transaction);
      await plans.markReady(plan, plan.id, { figures, counts, digest }, transaction);
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
  return olderThanDays === undefined || copy.ageingFrom.getTime() <= Date.now() - olderThanDays * DAY_MS;
}
