import { Injectable } from '@nestjs/common';
import { offsetOf } from '../../platform/validation/page.dto';
import { AdminRepository } from './admin.repository';
import type { ListAllJobsQuery } from './dto/admin.dto';
import { AdminJobsResponse, toAdminJobSummaryResponse } from './dto/admin.response';
import type { AdminStatsResponse } from './dto/admin.response';

/** Figures and jobs of the whole installation. */
@Injectable()
export class AdminService {
  constructor(private readonly repository: AdminRepository) {}

  /** Figures as of now. */
  async getStats(): Promise<AdminStatsResponse> {
    const [totals, jobs] = await Promise.all([
      this.repository.readTotals(),
      this.repository.countJobsByStatus(),
    ]);
    const { pending, active, completed, failed, cancelled } = jobs;
    return {
      users: totals.users,
      mailboxAccounts: totals.mailboxAccounts,
      jobs: { total: pending + active + completed + failed + cancelled, completed, failed, active },
      archives: { totalMails: totals.mails, totalSizeBytes: totals.bytes },
    };
  }

  /** A page of the jobs of all users. */
  async listJobs(query: ListAllJobsQuery): Promise<AdminJobsResponse> {
    const { status, page, limit } = query;
    const [jobs, total] = await Promise.all([
      this.repository.listJobs(status, limit, offsetOf(query)),
      this.repository.countJobs(status),
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
