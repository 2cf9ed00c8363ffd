import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { Authenticated, CurrentUser } from '../../common/auth/policies';
import { AuditPageResponse, toAuditPageResponse } from './audit-entry.response';
import { AuditLog } from './audit-log.service';
import { ListAuditQuery } from './list-audit.dto';

@ApiTags('audit')
@Authenticated()
@Controller('audit')
export class AuditController {
  constructor(private readonly log: AuditLog) {}

  /** What was done, or tried, with what is the caller's, and what the caller did. */
  @Get()
  @ApiOperation({ summary: 'The audit log of the caller, newest first' })
  async listOwnAudit(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListAuditQuery,
  ): Promise<AuditPageResponse> {
    return toAuditPageResponse(user.id, await this.log.listOwn(user.id, query));
  }
}
