import { Injectable } from '@nestjs/common';
import { AccountOwnership } from '../access/account-ownership.port';
import { AccountNotOwned, ApiKeyAccountRefused } from '../access/access.errors';
import { AuthenticatedUser, boundAccountsOf } from '../access/authenticated-user';
import { JobReader } from './job-reader';
import type { ListJobsQuery } from './dto/list-jobs.dto';
import { JobDetailResponse, JobResponse, toJobDetailResponse, toJobResponse } from './dto/job.response';

/** Lists and details of the caller's jobs. */
@Injectable()
export class JobListsService {
  constructor(
    private readonly reader: JobReader,
    private readonly ownership: AccountOwnership,
  ) {}

  /**
   * @throws AccountNotOwned when the filter names an account of another user
   * @throws ApiKeyAccountRefused when it names one that the caller's key is not bound to
   */
  async list(user: AuthenticatedUser, query: ListJobsQuery): Promise<JobResponse[]> {
    const { accountId } = query;
    const within = boundAccountsOf(user);
    if (accountId !== undefined) {
      if (within && !within.includes(accountId.toLowerCase())) throw new ApiKeyAccountRefused();
      if (!(await this.ownership.owns(user.id, accountId))) throw new AccountNotOwned();
    }
    const jobs = await this.reader.list(user.id, query, within);
    return jobs.map(toJobResponse);
  }

  /** @throws ResourceNotFound */
  async getDetail(user: AuthenticatedUser, jobId: string): Promise<JobDetailResponse> {
    return toJobDetailResponse(await this.reader.find(user.id, jobId, boundAccountsOf(user)));
  }
}
