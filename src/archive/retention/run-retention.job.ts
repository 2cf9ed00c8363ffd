import { Injectable } from '@nestjs/common';
import { Matches } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobReader } from '../../platform/jobs/job-reader';
import { PolicyLabels } from './policy-labels';
import { PolicyRunner } from './policy-runner';
import { RetentionPoliciesService } from './retention-policies.service';
import { RunRetentionRun } from './run-retention.run';

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

/** Deletes the mail that a user's policies no longer keep; see `RunRetentionRun`. */
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
    const { policies, labels, runner } = this;
    return new RunRetentionRun(runId, job, { policies, labels, runner }).run();
  }
}
