import { Injectable } from '@nestjs/common';
import { AdminJobsRepository } from '../jobs/admin-jobs.repository';
import { AdminStatsRepository } from './admin-stats.repository';
import type { AdminStatsResponse } from './admin-stats.response';

/** Figures of the whole installation, counted as of now. */
@Injectable()
export class AdminStatsService {
  constructor(
    private readonly repository: AdminStatsRepository,
    private readonly jobs: AdminJobsRepository,
  ) {}

  async stats(): Promise<AdminStatsResponse> {
    const [totals, jobs] = await Promise.all([this.repository.totals(), this.jobs.counts()]);
    const { pending, active, completed, failed, cancelled } = jobs;
    return {
      users: totals.users,
      mailboxAccounts: totals.mailboxAccounts,
      jobs: { total: pending + active + completed + failed + cancelled, completed, failed, active },
      archives: { totalMails: totals.mails, totalSizeBytes: totals.bytes },
    };
  }
}
