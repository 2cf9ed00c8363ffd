import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../common/audit/audit-trail.port';
import { RetentionLabels } from '../labels/retention-labels.service';
import { RetentionPoliciesRepository } from '../retention-policies.repository';
import { DoomedMailsRepository } from './doomed-mails.repository';
import { PolicyRunner } from './policy-runner.service';
import { addWarning, RetentionRun, RetentionWarning } from './retention-run';

/** What a run that somebody waits for has come to. */
export interface RetentionOutcome {
  readonly policiesRun: number;
  readonly totalDeleted: number;
  readonly warnings: readonly RetentionWarning[];
}

/** Runs the policies of a user who waits for it. */
@Injectable()
export class RetentionRuns {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly doomedMails: DoomedMailsRepository,
    private readonly labels: RetentionLabels,
    private readonly runner: PolicyRunner,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Runs the user's active policies and counts what this very call has removed.
   * @param signal ends the run after the batch it is at; what is left is for the next run
   */
  async runNow(userId: string, signal: AbortSignal): Promise<RetentionOutcome> {
    const outcome = { policiesRun: 0, totalDeleted: 0, warnings: [] as RetentionWarning[] };
    const run: RetentionRun = {
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
