import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import { ExpiredMailsRepository, ExpiredSummary } from '../archive/expired-mails.repository';
import { JobsService } from '../jobs/jobs.service';
import { PolicyLabels } from './policy-labels';
import { addWarning, PolicyRunner, RetentionContext, RetentionWarning } from './policy-runner';
import { RetentionPoliciesRepository, RetentionRunsRepository } from './retention-policies.repository';
import { RetentionPoliciesService } from './retention-policies.service';
import { RunRetention } from './run-retention.job';

/** What a run that somebody waits for has come to. */
export interface RetentionOutcome {
  readonly policiesRun: number;
  readonly totalDeleted: number;
  readonly warnings: readonly RetentionWarning[];
}

/** Runs the policies of a user who waits for it. */
@Injectable()
export class RetentionRunsService {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly doomedMails: ExpiredMailsRepository,
    private readonly labels: PolicyLabels,
    private readonly runner: PolicyRunner,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Runs the user's active policies and counts what this very call has removed.
   * @param signal ends the run after the batch it is at; what is left is for the next run
   */
  async runNow(userId: string, signal: AbortSignal): Promise<RetentionOutcome> {
    const outcome = { policiesRun: 0, totalDeleted: 0, warnings: [] as RetentionWarning[] };
    const run: RetentionContext = {
      userId,
      startedAt: await this.doomedMails.now(),
      labels: this.labels.forRun(userId, { priority: 'interactive', signal }),
      runId: null,
      storesAway: new Set(),
      throwIfStopped: () => signal.throwIfAborted(),
      removed: async (count) => {
        outcome.totalDeleted += count;
      },
      warn: (warning) => addWarning(outcome.warnings, warning),
    };
    await this.audit.record({ action: 'retention.run-started', userId });
    let completed = false;
    try {
      for (const { id } of await this.policies.listActive(userId)) {
        if (await this.runner.run(id, run)) outcome.policiesRun += 1;
      }
      completed = true;
      return outcome;
    } finally {
      // What was removed is removed, whether the run came to its end or not.
      const { policiesRun, totalDeleted } = outcome;
      const details = { policiesRun, totalDeleted };
      if (completed) await this.audit.record({ action: 'retention.run-completed', userId, details });
      else await this.audit.recordRefusal({ action: 'retention.run-failed', userId, details });
    }
  }
}

export interface RetentionPreview extends ExpiredSummary {
  readonly warnings: readonly RetentionWarning[];
}

/** What policies would remove. */
@Injectable()
export class RetentionPreviews {
  constructor(
    private readonly policies: RetentionPoliciesService,
    private readonly runner: PolicyRunner,
    private readonly labels: PolicyLabels,
    private readonly doomedMails: ExpiredMailsRepository,
  ) {}

  /** Of any policy, active or not. @throws ResourceNotFound when it is not the user's */
  async preview(userId: string, policyId: string, signal: AbortSignal): Promise<RetentionPreview> {
    const policy = await this.policies.get(userId, policyId);
    const warnings: RetentionWarning[] = [];
    const run = {
      startedAt: await this.doomedMails.now(),
      labels: this.labels.forRun(userId, { priority: 'interactive', signal } as const),
      warn: (warning: RetentionWarning) => void warnings.push(warning),
    };
    const summaries: ExpiredSummary[] = [];
    for (const accountId of await this.runner.accountsOf(policy)) {
      signal.throwIfAborted();
      const doomed = await this.runner.doomed(policy, accountId, run);
      if (doomed) summaries.push(await this.doomedMails.summary(doomed));
    }
    return { ...total(summaries), warnings };
  }
}

function total(summaries: readonly ExpiredSummary[]): ExpiredSummary {
  const times = (pick: (summary: ExpiredSummary) => Date | null): number[] =>
    summaries.flatMap((summary) => pick(summary)?.getTime() ?? []);
  const oldest = times((summary) => summary.oldest);
  const newest = times((summary) => summary.newest);
  return {
    count: summaries.reduce((sum, { count }) => sum + count, 0),
    bytes: summaries.reduce((sum, { bytes }) => sum + bytes, 0),
    oldest: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
    newest: newest.length > 0 ? new Date(Math.max(...newest)) : null,
  };
}

/** Sees to it that policies run every night. */
@Injectable()
export class RetentionNights {
  constructor(
    private readonly runs: RetentionRunsRepository,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Starts the runs of a night, one for each active user with active policies; the second time in a night it starts
   * nothing. Of a deactivated user nothing is removed: they could not see to it. @param night a date, e.g. `2025-11-21` @returns users with policies
   */
  async start(night: string): Promise<number> {
    const users = await this.runs.usersWithPolicies();
    for (const userId of users) {
      const owner = { userId, accountId: null };
      await this.jobs.startUnlessInactive(RunRetention, owner, { night }, { once: `run-retention:${night}` });
    }
    return users.length;
  }

  /** Forgets what ended jobs have counted: their results hold it. @returns counts forgotten */
  removeEndedCounts(): Promise<number> {
    return this.runs.removeEndedCounts();
  }
}
