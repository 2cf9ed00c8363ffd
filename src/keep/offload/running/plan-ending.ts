import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import { ArchiveHolds } from '../../../archive/mails/holds/archive-holds';
import { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import { type Transaction, Transactions } from '../../../platform/database/transactions';
import { PlanGone } from '../offload.errors';
import type { OffloadPlan, PlanOwner } from '../plans/offload-plan';
import { OffloadPlansRepository } from '../plans/offload-plans.repository';
import { OffloadReceiptsService } from '../receipts/offload-receipts.service';
import { textHash } from '../receipts/receipt';

/** Ends plans: releases what is held for them, and signs their receipts. */
@Injectable()
export class PlanEnding {
  constructor(
    private readonly plans: OffloadPlansRepository,
    private readonly holds: ArchiveHolds,
    private readonly archiveLock: ArchiveLock,
    private readonly receipts: OffloadReceiptsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Ends a plan with its receipt: after its last message, or when it can no longer be confirmed again. Messages whose outcome
   * is still unknown are signed as unknown.
   * @param require throws when the plan must not be ended any more
   * @returns SHA-256 of the receipt's statement; null when the plan had ended before
   */
  async end(
    owner: PlanOwner,
    planId: string,
    address: string,
    require?: (transaction: Transaction) => Promise<void>,
  ): Promise<string | null> {
    return this.transactions.run(async (transaction) => {
      // Receipts of an account form a chain: each has the hash of the one before.
      if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      const plan: OffloadPlan | null = await this.plans.lock(owner, planId, transaction);
      if (!plan) throw new PlanGone();
      if (plan.status === 'done') return null;
      await require?.(transaction);
      await this.holds.release(planId, null, transaction);
      const { statement } = await this.receipts.end(plan, address, transaction);
      return textHash(statement);
    });
  }
}
