import { Injectable } from '@nestjs/common';
import { Matches } from 'class-validator';
import { pickFacts } from '../../common/audit/pick-facts';
import type { JobContext } from '../../common/jobs/job-context';
import { defineJob, HandlesJob, JobHandler, JobResult, Lane } from '../../common/jobs/job-definition';
import { NightlyRetention } from './nightly-retention.service';

export class RunRetentionPayload {
  /** The night it belongs to: a date in UTC. */
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  night: string;
}

/** The policies of one user. Nobody started it, so that only a failure is told. */
export const RunRetention = defineJob('run_retention', {
  lane: Lane.Maintenance,
  payload: RunRetentionPayload,
  announced: 'failure',
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
