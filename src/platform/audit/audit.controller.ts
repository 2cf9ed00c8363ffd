import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { ListsRows } from '../access/lists-rows';
import { AdminOnly, Authenticated, CurrentUser } from '../access/policies';
import { OperationGroup } from '../openapi/operation-group';
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

  /** List your audit log, newest first. What you did, and what was done or attempted with your data. */
  @Get()
  @ListsRows()
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

  /**
   * List the audit log of the installation, newest first. The actions of all users. Entries remain after their users
   * are deleted.
   */
  @Get()
  @ListsRows()
  async listAudit(@Query() query: ListAllAuditQuery): Promise<AdminAuditPageResponse> {
    return toAdminAuditPageResponse(await this.log.listAll(query));
  }
}
