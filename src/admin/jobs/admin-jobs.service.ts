import { Injectable } from '@nestjs/common';
import { offsetOf } from '../../common/http/paging/page.dto';
import { AdminJobsResponse, toAdminJobSummaryResponse } from './admin-job.response';
import { AdminJobsRepository } from './admin-jobs.repository';
import type { ListAllJobsQuery } from './list-all-jobs.dto';

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
