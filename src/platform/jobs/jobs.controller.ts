import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { AccountNotOwned, ApiKeyAccountRefused } from '../access/access.errors';
import { type AuthenticatedUser, boundAccountsOf } from '../access/authenticated-user';
import { ListsRows } from '../access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { ResourceNotFound } from '../http/domain-error';
import { ApiProblems } from '../openapi/api-problems';
import { NotInWebClient } from '../openapi/not-in-web-client';
import { OperationGroup } from '../openapi/operation-group';
import { TooManyStreams } from '../sse/stream-limit';
import { JobDetailResponse, JobEventResponse, JobResponse } from './dto/job.response';
import { ListJobsQuery } from './dto/list-jobs.dto';
import { StartedJobResponse } from './dto/started-job.response';
import { EndedJobsService } from './ended-jobs.service';
import { JobListsService } from './job-lists.service';
import { JobStreamsService } from './job-streams.service';
import { JobFinished, JobNotResumable, JobNotRetryable } from './jobs.errors';
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
    private readonly ended: EndedJobsService,
  ) {}

  /**
   * List your jobs, newest first. Arrays in `payload` longer than 100 items are cut, and `payload_truncated` is set;
   * the detail of a job has the whole payload. `before` returns older jobs.
   */
  @Get()
  @ListsRows()
  @ApiProblems(new AccountNotOwned(), new ApiKeyAccountRefused())
  list(@CurrentUser() user: AuthenticatedUser, @Query() query: ListJobsQuery): Promise<JobResponse[]> {
    return this.lists.list(user, query);
  }

  /**
   * Stream live updates of all your jobs. Server-sent events: first all unfinished jobs, then each change, at most
   * four a second per job. A comment every 15 seconds keeps the connection open. The stream ends with the session.
   */
  @Get('events')
  @EventStream('Events named `job`; the data of each is a job without its payload.')
  @ApiProblems(new TooManyStreams())
  @NotInWebClient('part of the one stream of live updates')
  streamAll(@CurrentUser() user: AuthenticatedUser, @Res() response: Response): Promise<void> {
    return this.streams.streamAll(user, response);
  }

  /** Get a job with its payload and queue state. `queueState` is the job's current state in the queue. */
  @Get(':jobId')
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'))
  get(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<JobDetailResponse> {
    return this.lists.getDetail(user, jobId);
  }

  /**
   * Stream live updates of a job. Server-sent events: first the job as it is now, then each change. The server ends
   * the stream when the job has ended.
   */
  @Get(':jobId/events')
  @JobIdParam()
  @EventStream('Events named `job`; the data of each is the job without its payload.')
  @ApiProblems(new ResourceNotFound('job'), new TooManyStreams())
  @NotInWebClient('part of the one stream of live updates')
  streamOne(
    @CurrentUser() user: AuthenticatedUser,
    @Param('jobId') jobId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.streamOne(user, jobId, response);
  }

  /**
   * Take up a failed or cancelled job again. It keeps its jobId and goes on where it was, within 30 days of its end.
   * Encryption and IMAP import cannot: their secrets are erased with the end. Neither can rules, which choose their
   * messages anew when they are run again. An mbox import can within a day of its failure, while its file is kept.
   */
  @Post(':jobId/resume')
  @HttpCode(202)
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'), new JobNotResumable())
  resume(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<StartedJobResponse> {
    return this.ended.resume(user.id, jobId, boundAccountsOf(user));
  }

  /**
   * Start a job over the items that failed in a completed one. For bulk changes and archiving. At most 1,000 failed items
   * are remembered by name; when more failed, start the job again instead: it skips what is done.
   */
  @Post(':jobId/retry-failed')
  @HttpCode(202)
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'), new JobNotRetryable())
  retryFailed(
    @CurrentUser() user: AuthenticatedUser,
    @Param('jobId') jobId: string,
  ): Promise<StartedJobResponse> {
    return this.ended.retryFailed(user.id, jobId, boundAccountsOf(user));
  }

  /**
   * Cancel a job. An active job stops at the end of its current batch; what it has done stays done. Cancelling a
   * cancelled job again has no effect.
   */
  @Delete(':jobId')
  @HttpCode(204)
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'), new JobFinished())
  cancel(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<void> {
    return this.jobs.cancel(user.id, jobId, boundAccountsOf(user));
  }
}
