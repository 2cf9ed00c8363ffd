import { Injectable } from '@nestjs/common';
import { IsIn, IsUUID } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { JobReader } from '../../platform/jobs/job-reader';
import { Transactions } from '../../platform/database/transactions';
import { EventDispatcher } from '../../platform/events/event-dispatcher';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxProviders } from '../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { RuleActions } from './rule-actions';
import { RuleLabels } from './rule-labels';
import { RuleMatchesRepository } from './rule-matches.repository';
import { RuleGone } from './rules.errors';
import { RulesRepository, SavedRule } from './rules.repository';
import { type RuleRunResult, RunRuleRun } from './run-rule.run';

export class RunRulePayload {
  @IsUUID()
  ruleId: string;

  /** Origin of the run. A scheduled run ends at once when the rule is no longer active. */
  @IsIn(['manual', 'schedule'])
  trigger: 'manual' | 'schedule';
}

export const RunRule = defineJob('run_rule', {
  queue: JobQueue.Rules,
  payload: RunRulePayload,
  undoable: true,
  // Messages chosen days ago may no longer meet the conditions: another run chooses again.
  resumes: false,
  audited: {
    act: 'rule.run',
    factsOfStart: ({ ruleId, trigger }) =>
      trigger === 'manual' ? { target: { type: 'rule', id: ruleId }, details: { trigger } } : null,
    // Rules may run every hour: only runs that changed a mailbox are notified.
    factsOfEnd: (result, { processed }) =>
      Number(result['changed'] ?? processed) + Number(result['unknown'] ?? 0) > 0
        ? pickFacts(result, 'action', 'matched', 'changed', 'alreadyDone', 'failed', 'unknown')
        : null,
  },
});

/**
 * Runs a rule: loads it, performs a `RunRuleRun`, notifies. It has ten dependencies because it passes most of them to
 * `RunRuleRun`, which Nest does not create.
 */
@Injectable()
@HandlesJob(RunRule)
export class RunRuleHandler implements JobHandler<RunRulePayload> {
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

  /** @throws RuleGone, RuleLabelGone, the provider taxonomy */
  async run({ ruleId, trigger }: RunRulePayload, job: JobContext): Promise<JobResult> {
    // The account has been removed since the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    const rule = await this.rules.findOwned(job.userId, job.accountId, ruleId);
    if (!rule) throw new RuleGone();
    if (trigger === 'schedule' && !rule.isActive && job.savedCheckpoint() === undefined) {
      job.logger.log('The rule was deactivated after it was due');
      return { switchedOff: true };
    }
    const { id: runId } = await this.jobs.findRecord(job.userId, job.jobId);
    const { index, labels, actions, matches } = this;
    const services = { provider: this.providers.forAccount(account), index, labels, actions, matches };
    // The matches of a run that fails or is cancelled are left to `deleteAbandoned`: if the process is lost before the end is
    // recorded, another attempt continues from the checkpoint and needs them.
    const result = await new RunRuleRun(account, rule, runId, job, services).run();
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
