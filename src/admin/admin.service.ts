import { Injectable } from '@nestjs/common';
import { offsetOf } from '../common/validation/page.dto';
import { AdminJobsRepository, AdminStatsRepository } from './admin.repository';
import type { ListAllJobsQuery } from './dto/admin.dto';
import { AdminJobsResponse, toAdminJobSummaryResponse } from './dto/admin.response';
import type { AdminStatsResponse } from './dto/admin.response';

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

/** Everybody's jobs, for administrators. */
@Injectable()
export class AdminJobsService {
  constructor(private readonly repository: AdminJobsRepository) {}

  async list(query: ListAllJobsQuery): Promise<AdminJobsResponse> {
    const { status, page, limit } = query;
    const [jobs, total] = await Promise.all([
      this.repository.page(status, limit, offsetOf(query)),
      this.repository.count(status),
    ]);
    return {
      jobs: jobs.map(({ record, userEmail }) => ({
        ...toAdminJobSummaryResponse(record),
        user_email: userEmail,
      })),
      total,
      page,
      limit,
    };
  }
}
