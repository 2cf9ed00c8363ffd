import { ApiProperty, OmitType } from '@nestjs/swagger';
import { JobEventResponse, toJobEventResponse } from '../../jobs/dto/job.response';
import type { JobRecord } from '../../jobs/job-record';

export class AdminJobStatsResponse {
  /** Whatever their status. */
  @ApiProperty({ type: 'integer', example: 4200 })
  total: number;

  @ApiProperty({ type: 'integer', example: 4100 })
  completed: number;

  @ApiProperty({ type: 'integer', example: 12 })
  failed: number;

  /** Being worked on at this moment. */
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
  /** Inactive ones included. */
  @ApiProperty({ type: 'integer', example: 128 })
  users: number;

  /** Of all users, disconnected ones left out. */
  @ApiProperty({ type: 'integer', example: 240 })
  mailboxAccounts: number;

  jobs: AdminJobStatsResponse;

  /** Mail of disconnected accounts included. */
  archives: AdminArchiveStatsResponse;
}

/** A background job as administrators see it: without input and result, which may name messages. */
export class AdminJobSummaryResponse extends OmitType(JobEventResponse, ['result'] as const) {}

/** A background job with whose it is. */
export class AdminJobResponse extends AdminJobSummaryResponse {
  /** Whose job it is. */
  @ApiProperty({ format: 'email', example: 'ada@example.org' })
  user_email: string;
}

/** One page of everybody's jobs. */
export class AdminJobsResponse {
  jobs: AdminJobResponse[];

  /** Jobs that match, on all pages. */
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
