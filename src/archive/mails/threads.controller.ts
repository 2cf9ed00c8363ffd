import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ListsRows } from '../../platform/access/lists-rows';
import { OwnsAccount } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ListThreadsQuery } from './dto/archive.dto';
import {
  ThreadMailResponse,
  ThreadPageResponse,
  toThreadMailResponse,
  toThreadResponse,
} from './dto/threads.response';
import { toNotIndexedResponse } from './dto/not-indexed.response';
import { ThreadsService } from './threads.service';
import { ArchiveTermNotSupported } from './archive.errors';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId/threads')
export class ThreadsController {
  constructor(private readonly threads: ThreadsService) {}

  /**
   * List and search archived threads, latest first. Threads with at least one mail that matches the filters. Each
   * summary covers the whole thread.
   */
  @Get()
  @ListsRows()
  @ApiProblems(new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }))
  async listThreads(
    @Param('accountId') accountId: string,
    @Query() query: ListThreadsQuery,
  ): Promise<ThreadPageResponse> {
    const { threads, total, gaps } = await this.threads.list(accountId, query);
    return {
      threads: threads.map(toThreadResponse),
      total,
      page: query.page,
      limit: query.limit,
      not_indexed: gaps && toNotIndexedResponse(gaps),
    };
  }

  /** Get a thread. All archived mails of the thread, oldest first. */
  @Get(':threadId')
  @ApiOkResponse({ type: [ThreadMailResponse] })
  @ApiProblems(new ResourceNotFound('thread'))
  async getThread(
    @Param('accountId') accountId: string,
    @Param('threadId') threadId: string,
  ): Promise<ThreadMailResponse[]> {
    const mails = await this.threads.read(accountId, threadId);
    return mails.map(toThreadMailResponse);
  }
}
