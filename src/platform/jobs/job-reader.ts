import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions';
import { ResourceNotFound, ValidationFailed } from '../http/domain-error';
import type { JobRecord } from './job-record';
import { parseJobReference } from './job-record';
import { JobAccounts, JobFilter, JobsRepository, JobWithPayload, ListedJob } from './jobs.repository';

export type { JobAccounts, JobWithPayload } from './jobs.repository';

/** `before` is a jobId or the id of one of the user's jobs. */
export type JobListFilter = Omit<JobFilter, 'beforeNumber'> & { readonly before?: string };

/** Reads jobs on behalf of their owner; when accounts are given, only the jobs of these. */
@Injectable()
export class JobReader {
  constructor(private readonly repository: JobsRepository) {}

  /**
   * One job with its full payload, named by its id or `<kind>-<number>`.
   * @throws ResourceNotFound
   */
  async find(userId: string, jobId: string, within: JobAccounts = null): Promise<JobWithPayload> {
    const reference = parseJobReference(jobId);
    const job = reference && (await this.repository.findOwned(userId, reference, within));
    if (!job) throw new ResourceNotFound('job');
    return job;
  }

  /** Finds a job like `find`, without the payload. */
  async findRecord(
    userId: string,
    jobId: string,
    within: JobAccounts = null,
    transaction?: Transaction,
  ): Promise<JobRecord> {
    const reference = parseJobReference(jobId);
    const record =
      reference && (await this.repository.findRecordOwned(userId, reference, within, transaction));
    if (!record) throw new ResourceNotFound('job');
    return record;
  }

  /**
   * Newest first; arrays in payloads are cut to 100 items.
   * @throws ValidationFailed when `before` names no job
   */
  async list(
    userId: string,
    { before, ...filter }: JobListFilter,
    within: JobAccounts = null,
  ): Promise<ListedJob[]> {
    const beforeNumber = before === undefined ? undefined : await this.numberOf(userId, before, within);
    return this.repository.listOwned(userId, { ...filter, beforeNumber }, within);
  }

  /** The last job of a kind for an account, whose owner the caller has checked. */
  findLast(accountId: string, kind: string, transaction?: Transaction): Promise<JobRecord | null> {
    return this.repository.findLast(accountId, kind, transaction);
  }

  /** The user's unfinished jobs and those among `ids` whatever their state, newest first. */
  async openOrNamed(
    userId: string,
    ids: readonly string[],
    limit: number,
    within: JobAccounts = null,
  ): Promise<JobRecord[]> {
    return this.repository.openOrNamed(userId, ids, limit, within);
  }

  private async numberOf(userId: string, jobId: string, within: JobAccounts): Promise<number> {
    const reference = parseJobReference(jobId);
    if (reference && 'number' in reference) return reference.number;
    const job = reference && (await this.repository.findRecordOwned(userId, reference, within));
    if (!job) throw new ValidationFailed([{ field: 'before', message: 'before must be the id of a job' }]);
    return job.number;
  }
}
