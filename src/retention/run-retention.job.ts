import { Injectable } from '@nestjs/common';
import { Matches } from 'class-validator';
import { pickFacts } from '../access/audit-trail.port';
import { ExpiredMailsRepository } from '../archive/expired-mails.repository';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../jobs/job-definition';
import { JobQueue } from '../jobs/job-queue';
import type { JobContext } from '../jobs/job-definition';
import { JobReader } from '../jobs/job-reader';
import { PolicyLabels } from './policy-labels';
import { addWarning, PolicyRunner, RetentionContext, RetentionWarning } from './policy-runner';
import { RetentionPoliciesRepository, RetentionRunsRepository } from './retention-policies.repository';

/** Survives the process. */
interface RunState {
  readonly startedAt: string;
  /** Policies that are through, by id, with their names. */
  readonly done: { id: string; name: string }[];
  /** Mails the job's progress knows of. */
  counted: number;
  readonly warnings: RetentionWarning[];
}

/** Runs a user's policies as a job: with progress, from checkpoint to checkpoint. */
@Injectable()
export class NightlyRetention {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly runs: RetentionRunsRepository,
    private readonly doomedMails: ExpiredMailsRepository,
    private readonly labels: PolicyLabels,
    private readonly runner: PolicyRunner,
    private readonly jobs: JobReader,
  ) {}

  /** Those that are active; a lost attempt's are gone on with. */
  async run(job: JobContext): Promise<JobResult> {
    const { id: runId } = await this.jobs.findRecord(job.userId, job.jobId);
    const state = job.savedCheckpoint<RunState>() ?? (await this.newState());
    await this.recount(state, runId, job);
    const run: RetentionContext = {
      userId: job.userId,
      startedAt: new Date(state.startedAt),
      labels: this.labels.forRun(job.userId, { priority: 'background', signal: job.signal }),
      runId,
      storesAway: new Set(),
      throwIfStopped: () => job.throwIfCancelled(),
      removed: async (count) => {
        job.progress({ processed: count });
        state.counted += count;
        await job.checkpoint(state);
      },
      warn: (warning) => addWarning(state.warnings, warning),
    };
    await this.announceTotal(run, state, job);
    for (const { id, name } of await this.policies.listActive(job.userId)) {
      if (state.done.some((policy) => policy.id === id)) continue;
      if (!(await this.runner.run(id, run))) continue;
      state.done.push({ id, name });
      await job.checkpoint(state);
    }
    job.setTotal(state.counted);
    return this.result(state, runId);
  }

  private async newState(): Promise<RunState> {
    const startedAt = (await this.doomedMails.now()).toISOString();
    return { startedAt, done: [], counted: 0, warnings: [] };
  }

  /** Adds to the job's progress what a lost attempt has removed after its last checkpoint. */
  private async recount(state: RunState, runId: string, job: JobContext): Promise<void> {
    const counts = await this.runs.countsOf(runId);
    const removed = counts.reduce((sum, { deleted }) => sum + deleted, 0);
    job.progress({ processed: removed - state.counted });
    state.counted = removed;
    await job.checkpoint(state);
  }

  /** What there is to do for now; mail that two policies doom is in it twice, which the end puts right. */
  private async announceTotal(run: RetentionContext, state: RunState, job: JobContext): Promise<void> {
    let total = state.counted;
    for (const policy of await this.policies.listActive(run.userId)) {
      if (state.done.some(({ id }) => id === policy.id)) continue;
      for (const accountId of await this.runner.accountsOf(policy)) {
        run.throwIfStopped();
        const doomed = await this.runner.doomed(policy, accountId, run);
        if (doomed) total += (await this.doomedMails.summary(doomed)).count;
      }
    }
    job.setTotal(total);
  }

  private async result(state: RunState, runId: string): Promise<JobResult> {
    const counts = await this.runs.countsOf(runId);
    const perPolicy = state.done.map(({ id, name }) => ({
      policyId: id,
      name,
      deleted: counts.find(({ policyId }) => policyId === id)?.deleted ?? 0,
    }));
    // A policy deleted between two attempts is in no list any more, but what it removed counts.
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

export class RunRetentionPayload {
  /** The night it belongs to: a date in UTC. */
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  night: string;
}

/** The policies of one user. Nobody started it, so that only a failure is told. */
export const RunRetention = defineJob('run_retention', {
  queue: JobQueue.Maintenance,
  payload: RunRetentionPayload,
  notifies: 'failure',
  audited: {
    act: 'retention.run',
    byService: true,
    started: () => null,
    ended: (result, { status, processed }) =>
      status === 'completed' && processed === 0 ? null : pickFacts(result, 'policiesRun', 'totalDeleted'),
  },
});

/** Removes what the policies no longer keep; see `NightlyRetention`. */
@Injectable()
@HandlesJob(RunRetention)
export class RunRetentionHandler implements JobHandler<RunRetentionPayload> {
  constructor(private readonly retention: NightlyRetention) {}

  run(_payload: RunRetentionPayload, job: JobContext): Promise<JobResult> {
    return this.retention.run(job);
  }
}
