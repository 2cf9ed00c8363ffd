import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIn, Matches } from 'class-validator';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { AccountCheck } from './account-check';
import { ArchiveFolders } from './archive-folders';
import { ArchiveUsers } from './archive-users';
import { CheckIntegrityRun } from './check-integrity.run';
import { OrphanFilesService } from './orphan-files.service';

export class CheckIntegrityPayload {
  /** The owner's share of tonight, or all mail of all users. */
  @IsIn(['rotation', 'everything'])
  scope: 'rotation' | 'everything';

  /** Date in UTC. */
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  night: string;

  /** Whether to check folders of users without an archive as well. */
  @IsBoolean()
  strays: boolean;
}

/** Findings are an event of their own, so only a failure is worth a notification. */
export const CheckIntegrity = defineJob('check_integrity', {
  queue: JobQueue.Integrity,
  payload: CheckIntegrityPayload,
  notifies: 'failure',
  // A deactivated user's archive is kept, so it is checked; an administrator's check is of all archives.
  survivesDeactivation: true,
  // The user who started a check of all archives may no longer be an administrator.
  resumes: false,
  audited: {
    act: 'integrity.check',
    factsOfStart: ({ scope }) => (scope === 'everything' ? { details: { scope } } : null),
    factsOfEnd: () => null,
  },
});

/** Re-hashes archived files and deletes files that no mail names; see `CheckIntegrityRun`. */
@Injectable()
@HandlesJob(CheckIntegrity)
export class CheckIntegrityHandler implements JobHandler<CheckIntegrityPayload> {
  constructor(
    private readonly totals: ArchiveTotals,
    private readonly accounts: AccountCheck,
    private readonly archiveUsers: ArchiveUsers,
    private readonly sweeper: OrphanFilesService,
    private readonly folders: ArchiveFolders,
  ) {}

  async run({ scope, night, strays }: CheckIntegrityPayload, job: JobContext): Promise<JobResult> {
    const work = { everything: scope === 'everything', night, strays };
    const { totals, accounts, archiveUsers, sweeper, folders } = this;
    const services = { totals, accounts, archiveUsers, sweeper, folders };
    return { ...(await new CheckIntegrityRun(work, job, services).run()) };
  }
}
