import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { AdminJobsService, AdminStatsService } from './admin.service';
import { ListAllJobsQuery } from './dto/admin.dto';
import { AdminJobsResponse, AdminStatsResponse } from './dto/admin.response';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin')
export class AdminController {
  constructor(
    private readonly figures: AdminStatsService,
    private readonly allJobs: AdminJobsService,
  ) {}

  /** Users, mailboxes, jobs and archived mail of everybody, counted now. */
  @Get('stats')
  @ApiOperation({ summary: 'Figures of the whole installation' })
  getStats(): Promise<AdminStatsResponse> {
    return this.figures.stats();
  }

  /** Without input and results, which may name messages. */
  @Get('jobs')
  @ApiOperation({ summary: "Everybody's jobs, newest first" })
  listJobs(@Query() query: ListAllJobsQuery): Promise<AdminJobsResponse> {
    return this.allJobs.list(query);
  }
}
