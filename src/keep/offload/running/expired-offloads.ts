import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../../platform/logging/describe-error';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { OffloadPlansRepository, type OwnedPlan } from '../plans/offload-plans.repository';
import { LateOutcomes } from './late-outcomes';
import { PlanEnding } from './plan-ending';

const BATCH = 100;

/** Ends plans that were stopped before they were complete and not confirmed again in time: their moves get a receipt. */
@Injectable()
export class ExpiredOffloads {
  private readonly logger = new Logger(ExpiredOffloads.name);

  constructor(
    private readonly plans: OffloadPlansRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly late: LateOutcomes,
    private readonly ending: PlanEnding,
  ) {}

  /** @returns the number of plans ended */
  async endExpired(): Promise<number> {
    let ended = 0;
    for (let after: string | null = null; ;) {
      const expired = await this.plans.listExpired(after, BATCH);
      for (const plan of expired) if (await this.end(plan)) ended += 1;
      if (expired.length < BATCH) return ended;
      after = expired.at(-1)!.id;
    }
  }

  /** Ends one plan. A failure is logged and does not stop the others; the next hour tries again. */
  private async end(plan: OwnedPlan): Promise<boolean> {
    const { id, userId, accountId } = plan;
    try {
      // Outcomes that cannot be found out now are signed as unknown.
      await this.late.record(plan);
      const { email } = await this.accounts.requireOwned(userId, accountId);
      return (await this.ending.end({ userId, accountId }, id, email)) !== null;
    } catch (error) {
      this.logger.error(error, `Could not end offload ${id}: ${describeError(error).message}`);
      return false;
    }
  }
}
