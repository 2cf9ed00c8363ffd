import { Injectable } from '@nestjs/common';
import { RetentionLabels } from '../labels/retention-labels.service';
import { RetentionPolicies } from '../retention-policies.service';
import { DoomedMailsRepository, DoomedSummary } from '../run/doomed-mails.repository';
import { PolicyRunner } from '../run/policy-runner.service';
import type { RetentionWarning } from '../run/retention-run';

export interface RetentionPreview extends DoomedSummary {
  readonly warnings: readonly RetentionWarning[];
}

/** What policies would remove. */
@Injectable()
export class RetentionPreviews {
  constructor(
    private readonly policies: RetentionPolicies,
    private readonly runner: PolicyRunner,
    private readonly labels: RetentionLabels,
    private readonly doomedMails: DoomedMailsRepository,
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
    const summaries: DoomedSummary[] = [];
    for (const accountId of await this.runner.accountsOf(policy)) {
      signal.throwIfAborted();
      const doomed = await this.runner.doomed(policy, accountId, run);
      if (doomed) summaries.push(await this.doomedMails.summary(doomed));
    }
    return { ...total(summaries), warnings };
  }
}

function total(summaries: readonly DoomedSummary[]): DoomedSummary {
  const times = (pick: (summary: DoomedSummary) => Date | null): number[] =>
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
