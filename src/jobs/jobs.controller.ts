import { Controller, Delete, Get, HttpCode, Param, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { AccountNotOwned, ApiKeyAccountRefused } from '../access/access.errors';
import { type AuthenticatedUser, boundAccountsOf } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { TooManyStreams } from '../common/sse/stream-limit';
import { JobDetailResponse, JobEventResponse, JobResponse } from './dto/job.response';
import { ListJobsQuery } from './dto/list-jobs.dto';
import { JobListsService } from './job-lists.service';
import { JobStreamsService } from './job-streams.service';
import { JobFinished } from './jobs.errors';
import { JobsService } from './jobs.service';

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
@OperationGroup('jobs')
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

  /**
   * The caller's jobs, newest first. Arrays in `payload` longer than 100 are cut, and `payload_truncated` says so; a
   * job's own address has all. `before` leads to the older ones.
   */
  @Get()
  @ApiProblems(new AccountNotOwned(), new ApiKeyAccountRefused())
  list(@CurrentUser() user: AuthenticatedUser, @Query() query: ListJobsQuery): Promise<JobResponse[]> {
    return this.lists.list(user, query);
  }

  /**
   * Live updates of all the caller's jobs as server-sent events. The unfinished jobs come first, then each change, at
   * most four a second for a job. A comment every 15 seconds keeps the connection; the stream ends with the session.
   */
  @Get('events')
  @EventStream('Events named `job`; the data of each is a job without its payload.')
  @ApiProblems(new TooManyStreams())
  streamAll(@CurrentUser() user: AuthenticatedUser, @Res() response: Response): Promise<void> {
    return this.streams.streamAll(user, response);
  }

  /**
   * One job with its whole payload and its live state. `queueState` is what the queue says of it right now.
   */
  @Get(':jobId')
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'))
  get(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<JobDetailResponse> {
    return this.lists.detail(user, jobId);
  }

  /**
   * Live updates of one job as server-sent events. The job as it is comes first; the server ends the stream when the
   * job has ended.
   */
  @Get(':jobId/events')
  @JobIdParam()
  @EventStream('Events named `job`; the data of each is the job without its payload.')
  @ApiProblems(new ResourceNotFound('job'), new TooManyStreams())
  streamOne(
    @CurrentUser() user: AuthenticatedUser,
    @Param('jobId') jobId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.streamOne(user, jobId, response);
  }

  /**
   * Cancels a job. An active one stops at the end of its batch: what is done stays done. Cancelling a cancelled job
   * again is fine.
   */
  @Delete(':jobId')
  @HttpCode(204)
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'), new JobFinished())
  cancel(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<void> {
    return this.jobs.cancel(user.id, jobId, boundAccountsOf(user));
  }
}
