import { Injectable } from '@nestjs/common';
import { Matches } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobReader } from '../../platform/jobs/job-reader';
import { PolicyLabels } from './policy-labels';
import { addWarning, PolicyRunner, RetentionContext, RetentionWarning } from './policy-runner';
import { RetentionPoliciesService } from './retention-policies.service';

export class RunRetentionPayload {
  /** Night of the run as a date in UTC, e.g. `2025-11-21`. */
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  night: string;
}

/** Runs the policies of one user. The service starts it, so only a failure is worth a notification. */
export const RunRetention = defineJob('run_retention', {
  queue: JobQueue.Maintenance,
  payload: RunRetentionPayload,
  // The next night's run continues with the rest.
  resumes: false,
  notifies: 'failure',
  audited: {
    act: 'retention.run',
    byService: true,
    factsOfStart: () => null,
    factsOfEnd: (result, { status, processed }) =>
      status === 'completed' && processed === 0 ? null : pickFacts(result, 'policiesRun', 'totalDeleted'),
  },
});

/** The checkpoint of a run. */
interface RunState {
  readonly startedAt: string;
  /** Policies that have run, by id, with their names. */
  readonly done: { id: string; name: string }[];
  /** Mails already part of the job's progress. */
  counted: number;
  readonly warnings: RetentionWarning[];
}

/** Deletes the mail that a user's policies no longer keep, with progress and checkpoints. */
@Injectable()
@HandlesJob(RunRetention)
export class RunRetentionHandler implements JobHandler<RunRetentionPayload> {
  constructor(
    private readonly policies: RetentionPoliciesService,
    private readonly labels: PolicyLabels,
    private readonly runner: PolicyRunner,
    private readonly jobs: JobReader,
  ) {}

  async run(_payload: RunRetentionPayload, job: JobContext): Promise<JobResult> {
    const { id: runId } = await this.jobs.findRecord(job.userId, job.jobId);
    const state = job.savedCheckpoint<RunState>() ?? (await this.newState());
    await this.recount(state, runId, job);
    const context: RetentionContext = {
      userId: job.userId,
      startedAt: new Date(state.startedAt),
      labels: this.labels.beginRun(job.userId, { priority: 'background', signal: job.signal }),
      runId,
      deletions: this.runner.beginPass(),
      throwIfStopped: () => job.throwIfCancelled(),
      recordDeleted: async (count) => {
        job.progress({ processed: count });
        state.counted += count;
        await job.checkpoint(state);
      },
      warn: (warning) => addWarning(state.warnings, warning),
    };
    await this.setTotal(context, state, job);
    for (const { id, name } of await this.policies.listActive(job.userId)) {
      if (state.done.some((policy) => policy.id === id)) continue;
      if (!(await this.runner.run(id, context))) continue;
      state.done.push({ id, name });
      await job.checkpoint(state);
    }
    job.setTotal(state.counted);
    return this.result(state, runId);
  }

  private async newState(): Promise<RunState> {
    const startedAt = (await this.runner.now()).toISOString();
    return { startedAt, done: [], counted: 0, warnings: [] };
  }

  /** Adds to the job's progress what a lost attempt deleted after its last checkpoint. */
  private async recount(state: RunState, runId: string, job: JobContext): Promise<void> {
    const counts = await this.runner.countsOf(runId);
    const deleted = counts.reduce((sum, count) => sum + count.deleted, 0);
    job.progress({ processed: deleted - state.counted });
    state.counted = deleted;
    await job.checkpoint(state);
  }

  /** Sets an estimated total: mail that two policies match is counted twice, until the end of the run corrects it. */
  private async setTotal(context: RetentionContext, state: RunState, job: JobContext): Promise<void> {
    let total = state.counted;
    for (const policy of await this.policies.listActive(context.userId)) {
      if (state.done.some(({ id }) => id === policy.id)) continue;
      total += (await this.runner.summarize(policy, context)).count;
    }
    job.setTotal(total);
  }

  private async result(state: RunState, runId: string): Promise<JobResult> {
    const counts = await this.runner.countsOf(runId);
    const perPolicy = state.done.map(({ id, name }) => ({
      policyId: id,
      name,
      deleted: counts.find(({ policyId }) => policyId === id)?.deleted ?? 0,
    }));
    // A policy deleted between two attempts is no longer listed, but its deletions count.
    const gone = counts.filter(({ policyId }) => !state.done.some(({ id }) => id === policyId));
    const { counted: totalDeleted, warnings } = state;
    return {
      policiesRun: perPolicy.length + gone.length,
      totalDeleted,
      perPolicy: [...perPolicy, ...gone],
      warnings,
    };
  }
}
