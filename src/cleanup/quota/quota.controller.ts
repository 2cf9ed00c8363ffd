import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { AdminOnly, CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchiveWithoutMailbox } from '../../providers/port/mail-provider.errors';
import { QuotaCleanupResponse, QuotaResponse, toQuotaResponse } from './dto/quota.response';
import { QuotaService } from './quota.service';

@ApiTags('quota')
@OperationGroup('quota')
@Controller('quota')
export class QuotaController {
  constructor(private readonly quota: QuotaService) {}

  /**
   * Get the provider quota and its use. The provider's limits, and the units and calls of the last minute, hour and
   * day, by endpoint and by hour.
   */
  @Get(':accountId')
  @OwnsAccount()
  @ApiProblems(new ArchiveWithoutMailbox())
  async getUsage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<QuotaResponse> {
    return toQuotaResponse(await this.quota.getUsage(user.id, accountId));
  }

  /** Delete quota records older than 30 days. Covers all accounts. The service also does it every night. */
  @Post('cleanup')
  @HttpCode(200)
  @AdminOnly()
  @NotInWebClient('the service does it every night')
  async cleanUp(): Promise<QuotaCleanupResponse> {
    return { deleted: await this.quota.cleanUpNow() };
  }
}
