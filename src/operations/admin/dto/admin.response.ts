import { ApiProperty, OmitType } from '@nestjs/swagger';
import { JobEventResponse, toJobEventResponse } from '../../../platform/jobs/dto/job.response';
import type { JobRecord } from '../../../platform/jobs/job-record';

export class AdminJobStatsResponse {
  /** Number of jobs of every status. */
  @ApiProperty({ type: 'integer', example: 4200 })
  total: number;

  @ApiProperty({ type: 'integer', example: 4100 })
  completed: number;

  @ApiProperty({ type: 'integer', example: 12 })
  failed: number;

  /** Number of jobs that are running now. */
  @ApiProperty({ type: 'integer', example: 3 })
  active: number;
}

export class AdminArchiveStatsResponse {
  @ApiProperty({ type: 'integer', example: 1250000 })
  totalMails: number;

  /** Bytes of the EML files. */
  @ApiProperty({ type: 'integer', example: 93415268352 })
  totalSizeBytes: number;
}

/** Figures of the whole installation. */
export class AdminStatsResponse {
  /** Number of users, including inactive ones. */
  @ApiProperty({ type: 'integer', example: 128 })
  users: number;

  /** Number of connected mailboxes of all users. */
  @ApiProperty({ type: 'integer', example: 240 })
  mailboxAccounts: number;

  jobs: AdminJobStatsResponse;

  /** Figures of the archives, including mail of disconnected mailboxes. */
  archives: AdminArchiveStatsResponse;
}

/** A background job without its input and result, which may name messages. */
export class AdminJobSummaryResponse extends OmitType(JobEventResponse, ['result'] as const) {}

/** A background job with its owner. */
export class AdminJobResponse extends AdminJobSummaryResponse {
  /** E-mail address of the job's owner. */
  @ApiProperty({ format: 'email', example: 'ada@example.org' })
  user_email: string;
}

/** One page of the jobs of all users. */
export class AdminJobsResponse {
  jobs: AdminJobResponse[];

  /** Matching jobs on all pages. */
  @ApiProperty({ type: 'integer', example: 4200 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The page size used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

export function toAdminJobSummaryResponse(job: JobRecord): AdminJobSummaryResponse {
  const { result: _result, ...summary } = toJobEventResponse(job);
  return summary;
}
