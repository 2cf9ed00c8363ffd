import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import { timeoutSignal } from '../../../platform/concurrency/timers';
import type { Transaction } from '../../../platform/database/transactions';
import { describeError } from '../../../platform/logging/describe-error';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { OffloadItemsRepository } from '../plans/offload-items.repository';
import type { OffloadPlan } from '../plans/offload-plan';
import { OffloadPlansRepository, type OwnedPlan } from '../plans/offload-plans.repository';
import { OutcomeRecorder } from './outcome-recorder';
import { OffloadTimings } from './trash-mover';

const BATCH = 100;
/** Days for which unknown outcomes are looked up: later the trash has been emptied, and an undo has no effect. */
const RESOLVED_DAYS = 30;

/** A job works on the plan, or has worked on it meanwhile: it resolves the outcomes of its messages itself. */
class PlanAtWork extends Error {
  constructor() {
    super('A job works on the plan');
    this.name = 'PlanAtWork';
  }
}

/** Finds out the outcomes of messages whose job ended while they were being moved, once their mailbox can be reached. */
@Injectable()
export class LateOutcomes {
  private readonly logger = new Logger(LateOutcomes.name);

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly recorder: OutcomeRecorder,
    private readonly audit: AuditTrail,
    private readonly timings: OffloadTimings,
  ) {}

  /** @returns the number of plans that have no message with an unknown outcome left */
  async recordAll(): Promise<number> {
    let resolved = 0;
    for (let after: string | null = null; ;) {
      const plans = await this.plans.listUnresolved(after, RESOLVED_DAYS, BATCH);
      for (const plan of plans) if (await this.record(plan)) resolved += 1;
      if (plans.length < BATCH) return resolved;
      after = plans.at(-1)!.id;
    }
  }

  /**
   * Resolves the outcomes of one plan. A failure is logged. @returns false when it could not be read: the messages stay as they
   * are
   */
  async record(owned: OwnedPlan): Promise<boolean> {
    const plan = await this.plans.find(owned, owned.id);
    if (!plan || plan.cursor === null) return true;
    const moving = await this.items.listUnresolved(plan);
    if (moving.length === 0) return true;
    try {
      const account = await this.accounts.requireUsable(plan.userId, plan.accountId);
      const { cursor, isHistoryLost, batches } = plan;
      await this.recorder.record(account, plan, { cursor, isHistoryLost, batches }, moving, {
        mayRepeat: false,
        signal: timeoutSignal(this.timings.lateMs),
        require: (transaction) => this.requireIdle(plan, moving.length, transaction),
      });
      return true;
    } catch (error) {
      this.logger.warn(
        `Outcomes of the offload ${plan.id} are still unknown: ${describeError(error).message}`,
      );
      return false;
    }
  }

  private async requireIdle(plan: OffloadPlan, messages: number, transaction: Transaction): Promise<void> {
    await this.plans.lockAny(plan.id, transaction);
    if (await this.plans.isAtWork(plan.id, transaction)) throw new PlanAtWork();
    const { id, userId, accountId, cursor, jobId, batches } = plan;
    // A job may have begun and ended while the mailbox was read: the outcomes are from before it.
    const now = await this.plans.find(plan, id, transaction);
    if (now?.cursor !== cursor || now.jobId !== jobId || now.batches !== batches) throw new PlanAtWork();
    const target = { type: 'offload-plan', id };
    // A receipt that calls the outcomes unknown stays as it was signed.
    const act = { action: 'offload.outcomes-learnt', userId, accountId, target, details: { messages } };
    await this.audit.record(act, transaction);
  }
}
