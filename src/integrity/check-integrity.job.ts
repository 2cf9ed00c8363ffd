import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIn, Matches } from 'class-validator';
import type { JobContext } from '../jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../jobs/job-definition';
import { JobQueue } from '../jobs/job-queue';
import { IntegrityRunner } from './integrity-runner';

export class CheckIntegrityPayload {
  /** The owner's share of tonight, or all mail of everybody. */
  @IsIn(['rotation', 'everything'])
  scope: 'rotation' | 'everything';

  /** Date in UTC. */
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  night: string;

  /** Whether folders that belong to no user with an archive are swept as well. */
  @IsBoolean()
  strays: boolean;
}

/** What it finds it tells as an event of its own; that it found nothing goes without saying. */
export const CheckIntegrity = defineJob('check_integrity', {
  queue: JobQueue.Integrity,
  payload: CheckIntegrityPayload,
  notifies: 'failure',
  // Reads and hashes what is kept, for whoever comes back to it; and an administrator's check is of everybody's archives.
  survivesDeactivation: true,
  audited: {
    act: 'integrity.check',
    started: ({ scope }) => (scope === 'everything' ? { details: { scope } } : null),
    ended: () => null,
  },
});

/** Re-hashes archived files and removes those no mail names; see `IntegrityRunner`. */
@Injectable()
@HandlesJob(CheckIntegrity)
export class CheckIntegrityHandler implements JobHandler<CheckIntegrityPayload> {
  constructor(private readonly runner: IntegrityRunner) {}

  async run({ scope, night, strays }: CheckIntegrityPayload, job: JobContext): Promise<JobResult> {
    return { ...(await this.runner.run({ everything: scope === 'everything', night, strays }, job)) };
  }
}
