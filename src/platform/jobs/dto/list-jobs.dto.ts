import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID, Matches } from 'class-validator';
import { QueryLimit } from '../../validation/query-transforms';
import { JOB_STATUSES } from './job.response';

export const MAX_LISTED_JOBS = 500;

/** Filters of the list of jobs. */
export class ListJobsQuery {
  /** Only jobs in this status. */
  @ApiPropertyOptional({ enum: JOB_STATUSES, enumName: 'JobStatus', example: 'active' })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: (typeof JOB_STATUSES)[number];

  /** Only jobs of this kind.
   * @example bulk_operation */
  @IsOptional()
  @Matches(/^[a-z][a-z0-9_]{0,63}$/, { message: 'type must be a kind of job' })
  type?: string;

  /** Only jobs of this mailbox account, which must be the caller's.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;

  /** Jobs to return; above 500 it is lowered to 500. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LISTED_JOBS, default: 100, example: 100 })
  @QueryLimit(MAX_LISTED_JOBS)
  limit: number = 100;

  /** Only jobs older than this one, for the next page.
   * @example bulk_operation-42 */
  @IsOptional()
  @Matches(/^([a-z][a-z0-9_]{0,63}-\d{1,15}|[0-9a-fA-F-]{36})$/, {
    message: 'before must be the id of a job',
  })
  before?: string;
}
