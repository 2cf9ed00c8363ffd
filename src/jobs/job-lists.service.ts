import { Injectable } from '@nestjs/common';
import { AccountOwnership } from '../common/auth/account-ownership.port';
import { AccountNotOwned } from '../common/auth/auth.errors';
import { JobReader } from '../common/jobs/records/job-reader';
import type { ListJobsQuery } from './dto/list-jobs.dto';
import { JobDetailResponse, JobResponse, toJobDetailResponse, toJobResponse } from './job.response';

/** Lists and details of the caller's jobs. */
@Injectable()
export class JobListsService {
  constructor(
    private readonly reader: JobReader,
    private readonly ownership: AccountOwnership,
  ) {}

  /** @throws AccountNotOwned when the filter names somebody else's account */
  async list(userId: string, query: ListJobsQuery): Promise<JobResponse[]> {
    const { accountId } = query;
    if (accountId !== undefined && !(await this.ownership.owns(userId, accountId)))
      throw new AccountNotOwned();
    const jobs = await this.reader.list(userId, query);
    return jobs.map(toJobResponse);
  }

  /** @throws ResourceNotFound */
  async detail(userId: string, jobId: string): Promise<JobDetailResponse> {
    return toJobDetailResponse(await this.reader.find(userId, jobId));
  }
}
