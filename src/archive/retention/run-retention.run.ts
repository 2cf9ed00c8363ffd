import type { JobContext, JobResult } from '../../platform/jobs/job-definition';
import type { PolicyLabels } from './policy-labels';
import { addWarning, type PolicyRunner, type RetentionContext, type RetentionWarning } from './policy-runner';
import type { RetentionPoliciesService } from './retention-policies.service';

/** The checkpoint of a run. */
interface RunState {
  readonly startedAt: string;
  /** Policies that have run, by id, with their names. */
  readonly done: { id: string; name: string }[];
  /** Mails already part of the job's progress. */
  counted: number;
  readonly warnings: RetentionWarning[];
}

export interface RunRetentionServices {
  readonly policies: RetentionPoliciesService;
  readonly labels: PolicyLabels;
  readonly runner: PolicyRunner;
}

/** Deletes the mail that a user's policies no longer keep, with progress and checkpoints. */
export class RunRetentionRun {
  private state: RunState;

  /** @param runId id of the job's record, under which deletions are counted */
  constructor(
    private readonly runId: string,
    private readonly job: JobContext,
    private readonly services: RunRetentionServices,
  ) {}

  async run(): Promise<JobResult> {
    const { job } = this;
    const { policies, runner } = this.services;
    this.state = job.savedCheckpoint<RunState>() ?? (await this.newState());
    await this.recount();
    const context = this.newContext();
    await this.setTotal(context);
    for (const { id, name } of await policies.listActive(job.userId)) {
      if (this.isDone(id)) continue;
      if (!(await runner.run(id, context))) continue;
      this.state.done.push({ id, name });
      await job.checkpoint(this.state);
    }
    job.setTotal(this.state.counted);
    return this.result();
  }

  private async newState(): Promise<RunState> {
    const startedAt = (await this.services.runner.now()).toISOString();
    return { startedAt, done: [], counted: 0, warnings: [] };
  }

  private newContext(): RetentionContext {
    const { job, state, runId } = this;
    const { labels, runner } = this.services;
    return {
      userId: job.userId,
      startedAt: new Date(state.startedAt),
      labels: labels.beginRun(job.userId, { priority: 'background', signal: job.signal }),
      runId,
      deletions: runner.beginPass(),
      throwIfStopped: () => job.throwIfCancelled(),
      recordDeleted: async (count) => {
        job.progress({ processed: count });
        state.counted += count;
        await job.checkpoint(state);
      },
      warn: (warning) => addWarning(state.warnings, warning),
    };
  }

  /** Adds to the job's progress what a lost attempt deleted after its last checkpoint. */
  private async recount(): Promise<void> {
    const counts = await this.services.runner.countsOf(this.runId);
    const deleted = counts.reduce((sum, count) => sum + count.deleted, 0);
    this.job.progress({ processed: deleted - this.state.counted });
    this.state.counted = deleted;
    await this.job.checkpoint(this.state);
  }

  /** Sets an estimated total: mail that two policies match is counted twice, until the end of the run corrects it. */
  private async setTotal(context: RetentionContext): Promise<void> {
    const { policies, runner } = this.services;
    let total = this.state.counted;
    for (const policy of await policies.listActive(context.userId)) {
      if (this.isDone(policy.id)) continue;
      total += (await runner.summarize(policy, context)).count;
    }
    this.job.setTotal(total);
  }

  private isDone(policyId: string): boolean {
    return this.state.done.some(({ id }) => id === policyId);
  }

  private async result(): Promise<JobResult> {
    const { done, counted: totalDeleted, warnings } = this.state;
    const counts = await this.services.runner.countsOf(this.runId);
    const perPolicy = done.map(({ id, name }) => ({
      policyId: id,
      name,
      deleted: counts.find(({ policyId }) => policyId === id)?.deleted ?? 0,
    }));
    // A policy deleted between two attempts is no longer listed, but its deletions count.
    const gone = counts.filter(({ policyId }) => !this.isDone(policyId));
    return {
      policiesRun: perPolicy.length + gone.length,
      totalDeleted,
      perPolicy: [...perPolicy, ...gone],
      warnings,
    };
  }
}
