import { Controller, Delete, Get, HttpCode, Param, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { OpenToApiKeys } from '../common/auth/api-key-policies';
import { type AuthenticatedUser, boundAccountsOf } from '../common/auth/authenticated-user';
import { Authenticated, CurrentUser } from '../common/auth/policies';
import { JobsService } from '../common/jobs/jobs.service';
import { ApiProblems } from '../common/openapi/api-problems';
import { ListJobsQuery } from './dto/list-jobs.dto';
import { JobListsService } from './job-lists.service';
import { JobDetailResponse, JobEventResponse, JobResponse } from './job.response';
import { JobStreamsService } from './stream/job-streams.service';

const JobIdParam = (): MethodDecorator =>
  ApiParam({
    name: 'jobId',
    description: 'The jobId that started the job, or the id of its record',
    example: 'bulk_operation-42',
  });

const EventStream = (description: string): MethodDecorator =>
  ApiOkResponse({
    description,
    content: { 'text/event-stream': { schema: { $ref: getSchemaPath(JobEventResponse) } } },
  });

@ApiTags('jobs')
@ApiExtraModels(JobEventResponse)
@Controller('jobs')
@Authenticated()
@OpenToApiKeys({ confined: true })
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly lists: JobListsService,
    private readonly streams: JobStreamsService,
  ) {}

  /** The caller's jobs, newest first. */
  @Get()
  @ApiProblems(400, 403)
  list(@CurrentUser() user: AuthenticatedUser, @Query() query: ListJobsQuery): Promise<JobResponse[]> {
    return this.lists.list(user, query);
  }

  /** Live updates of all the caller's jobs as server-sent events, the unfinished ones first; they end with the session. */
  @Get('events')
  @EventStream('Events named `job`; the data of each is a job without its payload.')
  streamAll(@CurrentUser() user: AuthenticatedUser, @Res() response: Response): Promise<void> {
    return this.streams.streamAll(user, response);
  }

  /** One job with its whole payload and its live state. */
  @Get(':jobId')
  @JobIdParam()
  @ApiProblems(404)
  get(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<JobDetailResponse> {
    return this.lists.detail(user, jobId);
  }

  /** Live updates of one job as server-sent events; the stream ends with the job. */
  @Get(':jobId/events')
  @JobIdParam()
  @EventStream('Events named `job`; the data of each is the job without its payload.')
  @ApiProblems(404)
  streamOne(
    @CurrentUser() user: AuthenticatedUser,
    @Param('jobId') jobId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.streamOne(user, jobId, response);
  }

  /** Cancels a job; an active one stops at the end of its batch. */
  @Delete(':jobId')
  @HttpCode(204)
  @JobIdParam()
  @ApiProblems(404, 409)
  cancel(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<void> {
    return this.jobs.cancel(user.id, jobId, boundAccountsOf(user));
  }
}
