import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { AdminOnly, Authenticated, CurrentUser } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { AuditLogService } from './audit-log.service';
import { ListAllAuditQuery, ListAuditQuery } from './dto/audit.dto';
import {
  AdminAuditPageResponse,
  AuditPageResponse,
  toAdminAuditPageResponse,
  toAuditPageResponse,
} from './dto/audit.response';

@ApiTags('audit')
@OperationGroup('audit')
@Authenticated()
@Controller('audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  /** What was done, or tried, with what is the caller's, and what the caller did. */
  @Get()
  @ApiOperation({ summary: 'The audit log of the caller, newest first' })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListAuditQuery,
  ): Promise<AuditPageResponse> {
    return toAuditPageResponse(user.id, await this.log.listOwn(user.id, query));
  }
}

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly log: AuditLogService) {}

  /** What anybody did. Entries outlive the users in them. */
  @Get()
  @ApiOperation({ summary: 'The audit log of the installation, newest first' })
  async listAudit(@Query() query: ListAllAuditQuery): Promise<AdminAuditPageResponse> {
    return toAdminAuditPageResponse(await this.log.listAll(query));
  }
}
