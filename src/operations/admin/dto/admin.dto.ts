import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';
import { JOB_STATUSES } from '../../../platform/jobs/dto/job.response';

/** Filter of the job list. */
export class ListAllJobsQuery extends PageQuery {
  /** Only jobs with this status. */
  @ApiPropertyOptional({ enum: JOB_STATUSES, enumName: 'JobStatus', example: 'failed' })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: (typeof JOB_STATUSES)[number];
}
