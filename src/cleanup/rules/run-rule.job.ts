import { Injectable } from '@nestjs/common';
import { IsIn, IsUUID } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { RuleRunner } from './rule-runner';

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

/** Runs a rule; see `RuleRunner`. */
@Injectable()
@HandlesJob(RunRule)
export class RunRuleHandler implements JobHandler<RunRulePayload> {
  constructor(private readonly runner: RuleRunner) {}

  async run(payload: RunRulePayload, job: JobContext): Promise<JobResult> {
    return this.runner.run(payload.ruleId, { onlyIfActive: payload.trigger === 'schedule' }, job);
  }
}
