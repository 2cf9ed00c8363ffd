import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { JobRecord } from '../../common/jobs/records/job-record';
import { JobEventResponse, toJobEventResponse } from '../../jobs/job.response';

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
