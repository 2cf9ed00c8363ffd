import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { AdminOnly, CurrentUser, OwnsAccount } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { QuotaCleanupResponse, QuotaResponse, toQuotaResponse } from './dto/quota.response';
import { QuotaService } from './quota.service';

@ApiTags('quota')
@OperationGroup('quota')
@Controller('quota')
export class QuotaController {
  constructor(private readonly quota: QuotaService) {}

  /** The limits of the provider, and the units and calls of the last minute, hour and day, by endpoint and by hour. */
  @Get(':accountId')
  @OwnsAccount()
  @ApiOperation({ summary: 'What the account may spend at the provider, and what it has spent' })
  async getUsage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<QuotaResponse> {
    return toQuotaResponse(await this.quota.of(user.id, accountId));
  }

  /** They are deleted every night as well. */
  @Post('cleanup')
  @HttpCode(200)
  @AdminOnly()
  @ApiOperation({ summary: 'Delete the usage records of all accounts that are older than 30 days' })
  async cleanUp(): Promise<QuotaCleanupResponse> {
    return { deleted: await this.quota.cleanUpNow() };
  }
}
