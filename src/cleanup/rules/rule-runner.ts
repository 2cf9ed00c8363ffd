import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions';
import { EventDispatcher } from '../../platform/events/event-dispatcher';
import type { JobContext, JobResult } from '../../platform/jobs/job-definition';
import { JobReader } from '../../platform/jobs/job-reader';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxProviders } from '../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { RuleActions } from './rule-actions';
import { RuleLabels } from './rule-labels';
import { RuleMatchesRepository } from './rule-matches.repository';
import { RuleRun, RuleRunResult } from './rule-run';
import { RuleGone } from './rules.errors';
import { RulesRepository, SavedRule } from './rules.repository';

/**
 * Runs the job of a rule: loads the rule, performs a `RuleRun`, notifies. It has ten dependencies because most of them are
 * handed on to `RuleRun`, which Nest does not make.
 */
@Injectable()
export class RuleRunner {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly rules: RulesRepository,
    private readonly labels: RuleLabels,
    private readonly actions: RuleActions,
    private readonly matches: RuleMatchesRepository,
    private readonly jobs: JobReader,
    private readonly events: EventDispatcher,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param options.onlyIfActive a rule deactivated since the job was made does nothing
   * @throws RuleGone, RuleLabelGone, the provider taxonomy
   */
  async run(ruleId: string, options: { onlyIfActive: boolean }, job: JobContext): Promise<JobResult> {
    // The account has been removed since the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    const rule = await this.rules.findOwned(job.userId, job.accountId, ruleId);
    if (!rule) throw new RuleGone();
    if (options.onlyIfActive && !rule.isActive && job.savedCheckpoint() === undefined) {
      job.logger.log('The rule was deactivated after it was due');
      return { switchedOff: true };
    }
    const { id: runId } = await this.jobs.findRecord(job.userId, job.jobId);
    const { index, labels, actions, matches } = this;
    const services = { provider: this.providers.forAccount(account), index, labels, actions, matches };
    // The matches of a run that fails or is cancelled are left to `deleteAbandoned`: if the process is lost before the end is
    // recorded, another attempt continues from the checkpoint and needs them.
    const result = await new RuleRun(account, rule, runId, job, services).run();
    await this.complete(rule, runId, job, result);
    return result;
  }

  /** Completes the run once: an attempt that repeats this after the process was lost sends no second notification. */
  private async complete(
    rule: SavedRule,
    runId: string,
    job: JobContext,
    result: RuleRunResult,
  ): Promise<void> {
    const { id: ruleId, name, userId, mailboxAccountId: accountId } = rule;
    const { jobId } = job;
    await this.transactions.run(async (transaction) => {
      const data = { ruleId, name, accountId, action: result.action, matched: result.matched, jobId };
      await this.events.dispatch(
        { type: 'rule.executed', key: `rule.executed:${jobId}`, userId, data },
        transaction,
      );
      // The event comes first, since it locks the user: a deletion of the user takes both locks in this order.
      const count = result.changed + result.alreadyDone;
      await this.rules.markCompleted({ userId, accountId, ruleId }, count, transaction);
      await this.matches.delete(runId, transaction);
    });
  }
}
