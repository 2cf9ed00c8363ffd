import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { ExpiredSummary } from '../mails/expired-mails.service';
import { JobsService } from '../../platform/jobs/jobs.service';
import { logFailure } from '../../platform/logging/log-failure';
import { PolicyLabels } from './policy-labels';
import { addWarning, PolicyRunner, RetentionContext, RetentionWarning } from './policy-runner';
import { RetentionPoliciesRepository } from './retention-policies.repository';
import { RetentionPoliciesService } from './retention-policies.service';
import { RunRetention } from './run-retention.job';

/** The result of a run within a request. */
export interface RetentionOutcome {
  readonly policiesRun: number;
  readonly totalDeleted: number;
  readonly warnings: readonly RetentionWarning[];
}

export interface RetentionPreview extends ExpiredSummary {
  readonly warnings: readonly RetentionWarning[];
}

/** Runs policies within a request, previews them, and starts the nightly runs. */
@Injectable()
export class RetentionRunsService {
  private readonly logger = new Logger(RetentionRunsService.name);

  constructor(
    private readonly policies: RetentionPoliciesService,
    private readonly repository: RetentionPoliciesRepository,
    private readonly labels: PolicyLabels,
    private readonly runner: PolicyRunner,
    private readonly audit: AuditTrail,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Runs the user's active policies and counts the mails this call deletes.
   * @param signal ends the run after its current batch; the next run does the rest
   */
  async runNow(userId: string, signal: AbortSignal): Promise<RetentionOutcome> {
    const outcome = { policiesRun: 0, totalDeleted: 0, warnings: [] as RetentionWarning[] };
    const context: RetentionContext = {
      userId,
      startedAt: await this.runner.now(),
      labels: this.labels.beginRun(userId, { priority: 'interactive', signal }),
      runId: null,
      deletions: this.runner.beginPass(),
      throwIfStopped: () => signal.throwIfAborted(),
      recordDeleted: async (count) => {
        outcome.totalDeleted += count;
      },
      warn: (warning) => addWarning(outcome.warnings, warning),
    };
    await this.audit.record({ action: 'retention.run-started', userId });
    let completed = false;
    try {
      for (const { id } of await this.policies.listActive(userId)) {
        if (await this.runner.run(id, context)) outcome.policiesRun += 1;
      }
      completed = true;
      return outcome;
    } finally {
      // Deletions are recorded whether the run completed or not.
      const { policiesRun, totalDeleted } = outcome;
      const details = { policiesRun, totalDeleted };
      if (completed) await this.audit.record({ action: 'retention.run-completed', userId, details });
      else await this.audit.recordRefusal({ action: 'retention.run-failed', userId, details });
    }
  }

  /** The mails a policy, active or not, would delete now. @throws ResourceNotFound when it is not the user's */
  async preview(userId: string, policyId: string, signal: AbortSignal): Promise<RetentionPreview> {
    const policy = await this.policies.get(userId, policyId);
    const warnings: RetentionWarning[] = [];
    const summary = await this.runner.summarize(policy, {
      startedAt: await this.runner.now(),
      labels: this.labels.beginRun(userId, { priority: 'interactive', signal }),
      throwIfStopped: () => signal.throwIfAborted(),
      warn: (warning) => void warnings.push(warning),
    });
    return { ...summary, warnings };
  }

  /**
   * Starts the runs of a night, one for each active user with active policies; a second call for the same night starts
   * nothing. A deactivated user's mail is kept: they could not object. A run that cannot be started does not keep others from
   * starting.
   * @param night a date, e.g. `2025-11-21`
   * @returns number of users with policies, without those whose run could not be started
   */
  async startNight(night: string): Promise<number> {
    let users = 0;
    for (const userId of await this.repository.findUsersWithPolicies()) {
      const owner = { userId, accountId: null };
      const started = await logFailure(
        this.logger,
        `The retention run of user ${userId} was not started`,
        () => this.jobs.startIfPossible(RunRetention, owner, { night }, { once: `run-retention:${night}` }),
      );
      if (started !== undefined) users += 1;
    }
    return users;
  }

  /** Deletes the counts of jobs that have ended: their results hold them. @returns rows deleted */
  deleteEndedCounts(): Promise<number> {
    return this.repository.deleteEndedCounts();
  }
}
