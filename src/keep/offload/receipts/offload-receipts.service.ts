import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import type { Transaction } from '../../../platform/database/transactions';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { InstallationKeysService } from '../keys/installation-keys.service';
import { OffloadItemsRepository } from '../plans/offload-items.repository';
import type { OffloadPlan, PlanOwner } from '../plans/offload-plan';
import { OffloadPlansRepository } from '../plans/offload-plans.repository';
import { itemLine, type Receipt, RECEIPT_FORMAT, type ReceiptStatement, textHash } from './receipt';
import { OffloadReceiptsRepository, StoredReceipt } from './offload-receipts.repository';

const PAGE = 1_000;

/** Makes receipts of plans that end, and reads them. */
@Injectable()
export class OffloadReceiptsService {
  constructor(
    private readonly receipts: OffloadReceiptsRepository,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly keys: InstallationKeysService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Ends a plan, and signs the outcomes of its messages.
   * @param plan locked by the transaction, which has locked the account's archive before
   * @param address of the mailbox
   */
  async end(plan: OffloadPlan, address: string, transaction: Transaction): Promise<Receipt> {
    const signer = await this.keys.ensureSigner(transaction);
    await this.items.signUnknown(plan, transaction);
    const counts = await this.items.countByState(plan, transaction);
    const { trashed, trashedBytes, blocked, left, unknown = 0, blockedBy } = counts;
    const alsoUnknown: Readonly<Record<string, number>> = unknown > 0 ? { unknown } : {};
    const endedAt = await this.plans.markDone(plan, plan.id, transaction);
    const previous = await this.receipts.findLast(plan, transaction);
    const statement: ReceiptStatement = {
      format: RECEIPT_FORMAT,
      installation: signer.installation,
      account: { id: plan.accountId, address },
      plan: plan.id,
      mode: plan.mode,
      startedAt: (plan.startedAt ?? plan.createdAt).toISOString(),
      endedAt: endedAt.toISOString(),
      historyIds: { from: plan.plannedCursor ?? '', to: plan.cursor ?? '' },
      counts: { selected: plan.figures?.selected ?? 0, trashed, blocked, left, ...alsoUnknown },
      blockedBy,
      bytes: trashedBytes,
      items: { count: trashed + unknown, sha256: await this.hashItems(plan, transaction) },
      previous: previous && textHash(previous.statement),
    };
    const text = JSON.stringify(statement);
    const receipt = { statement: text, ...signer.sign(text) };
    await this.receipts.insert(plan, plan.id, receipt, transaction);
    await this.plans.setCounts(plan, plan.id, counts, transaction);
    await this.audit.record(
      {
        action: 'offload.receipt-signed',
        userId: plan.userId,
        accountId: plan.accountId,
        target: { type: 'offload-plan', id: plan.id },
        details: { sha256: textHash(text), keyId: receipt.keyId, trashed, blocked, left, ...alsoUnknown },
      },
      transaction,
    );
    return receipt;
  }

  /** @throws ResourceNotFound */
  async get(owner: PlanOwner, planId: string): Promise<StoredReceipt> {
    const receipt = await this.receipts.find(owner, planId);
    if (receipt) return receipt;
    const plan = await this.plans.find(owner, planId);
    throw new ResourceNotFound(plan ? 'offload receipt' : 'offload plan');
  }

  /** Receipts, newest first. @param after plan of the last receipt of the page before */
  list(owner: PlanOwner, after: string | null, limit: number): Promise<StoredReceipt[]> {
    return this.receipts.list(owner, after, limit);
  }

  /** Lines of JSON that the receipt of a plan is about, read page by page. @throws ResourceNotFound */
  async readLines(owner: PlanOwner, planId: string): Promise<AsyncGenerator<string, void, undefined>> {
    await this.get(owner, planId);
    return this.linesOf({ id: planId, accountId: owner.accountId });
  }

  private async *linesOf(
    plan: { readonly id: string; readonly accountId: string },
    transaction?: Transaction,
  ): AsyncGenerator<string, void, undefined> {
    for (let after = -1; ;) {
      const page = await this.items.listForReceipt(plan, after, PAGE, transaction);
      const last = page.at(-1);
      if (!last) return;
      after = last.position;
      yield page.map(itemLine).join('');
    }
  }

  private async hashItems(plan: OffloadPlan, transaction: Transaction): Promise<string> {
    const hash = createHash('sha256');
    for await (const lines of this.linesOf(plan, transaction)) hash.update(lines, 'utf8');
    return hash.digest('hex');
  }
}
