import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListsRows } from '../../platform/access/lists-rows';
import { AdminOnly } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AdminService } from './admin.service';
import { ListAllJobsQuery } from './dto/admin.dto';
import { AdminJobsResponse, AdminStatsResponse } from './dto/admin.response';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin')
export class AdminController {
  constructor(private readonly admin: AdminService) {}

  /** Get figures about the installation. Current counts of users, mailboxes, jobs and archived mail. */
  @Get('stats')
  getStats(): Promise<AdminStatsResponse> {
    return this.admin.getStats();
  }

  /** List the jobs of all users, newest first. Without payloads and results, which may name messages. */
  @Get('jobs')
  @ListsRows()
  listJobs(@Query() query: ListAllJobsQuery): Promise<AdminJobsResponse> {
    return this.admin.listJobs(query);
  }
}
