import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/policies';
import { AdminAuditPageResponse, toAdminAuditPageResponse } from './audit-entry.response';
import { AuditLog } from './audit-log.service';
import { ListAllAuditQuery } from './list-audit.dto';

@ApiTags('admin')
@AdminOnly()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly log: AuditLog) {}

  /** What anybody did. Entries outlive the users in them. */
  @Get()
  @ApiOperation({ summary: 'The audit log of the installation, newest first' })
  async listAllAudit(@Query() query: ListAllAuditQuery): Promise<AdminAuditPageResponse> {
    return toAdminAuditPageResponse(await this.log.listAll(query));
  }
}
