import { Injectable, Logger } from '@nestjs/common';
import { type Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { JobsService } from '../../platform/jobs/jobs.service';
import { describeError } from '../../platform/logging/describe-error';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { RuleMatchesRepository } from './rule-matches.repository';
import type { RuleRunResponse } from './dto/rules.response';
import { type RuleKey, RulesRepository } from './rules.repository';
import { RunRule } from './run-rule.job';

/** Number of rules taken at a time: few, so that processes share the work. */
const BATCH = 100;
const MESSAGE = 'Rule run started';

/** Starts runs of rules, by hand and when they are due. */
@Injectable()
export class RuleRunsService {
  private readonly logger = new Logger(RuleRunsService.name);

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly rules: RulesRepository,
    private readonly matches: RuleMatchesRepository,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ResourceNotFound, MailboxDisconnected, ReauthRequired */
  async start(userId: string, accountId: string, ruleId: string): Promise<RuleRunResponse> {
    await this.accounts.requireUsable(userId, accountId);
    // A repeated request starts nothing, so it must not postpone the next scheduled run either.
    const repeated = await this.jobs.findRepeated(userId);
    if (repeated) return { jobId: repeated.record.jobId, message: MESSAGE };
    return this.transactions.run(async (transaction) => {
      const isKnown = await this.rules.markStarted({ userId, accountId, ruleId }, transaction);
      if (!isKnown) throw new ResourceNotFound('rule');
      const payload = { ruleId, trigger: 'manual' } as const;
      const { jobId } = await this.jobs.start(RunRule, { userId, accountId }, payload, { transaction });
      return { jobId, message: MESSAGE };
    });
  }

  /**
   * Starts the rules that are due. The start is stored in the transaction that makes the job, so that each runs once however
   * many processes call, and a rule that fails is due again after its interval, not at once. A rule that cannot be started does
   * not stop the others.
   * @returns the number of rules that were due
   */
  async startDue(): Promise<number> {
    let started = 0;
    for (;;) {
      const count = await this.startSome();
      started += count;
      if (count < BATCH) return started;
    }
  }

  /** Deletes matches that ended runs have left behind. @returns the number deleted */
  deleteAbandonedMatches(): Promise<number> {
    return this.matches.deleteAbandoned();
  }

  private startSome(): Promise<number> {
    return this.transactions.run(async (transaction) => {
      const due = await this.rules.claimDue(RunRule.kind, BATCH, transaction);
      // The same order everywhere: starts for one user wait for one another.
      const byUser = [...due].sort((a, b) => (a.userId < b.userId ? -1 : 1));
      for (const rule of byUser) await this.startOne(rule, transaction);
      return due.length;
    });
  }

  /** @throws when the database is unavailable: then all rules of the transaction stay due */
  private async startOne({ ruleId, ...owner }: RuleKey, transaction: Transaction): Promise<void> {
    const payload = { ruleId, trigger: 'schedule' } as const;
    try {
      await transaction.runInSavepoint(() =>
        this.jobs.startIfPossible(RunRule, owner, payload, { transaction }),
      );
    } catch (error) {
      if (isDependencyUnavailable(error)) throw error;
      this.logger.error(error, `Could not start rule ${ruleId}: ${describeError(error).message}`);
    }
  }
}
