import { Injectable } from '@nestjs/common';
import { JobsService } from '../../common/jobs/starting/jobs.service';
import { RetentionRunsRepository } from './retention-runs.repository';
import { RunRetention } from './run-retention.job';

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
