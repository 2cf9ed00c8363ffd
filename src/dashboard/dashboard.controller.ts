import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../access/policies';
import { ClientSignal } from '../common/http/client-signal';
import { OperationGroup } from '../common/openapi/operation-group';
import { ProviderProblems } from '../mail-provider/mail-provider.errors';
import { MailboxStatsQuery } from './dto/dashboard.dto';
import {
  ArchiveStatsResponse,
  MailboxStatsResponse,
  toArchiveStatsResponse,
  toMailboxStatsResponse,
} from './dto/dashboard.response';
import { DashboardService } from './dashboard.service';

@ApiTags('dashboard')
@OperationGroup('dashboard')
@OwnsAccount()
@Controller('dashboard/:accountId')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  /** Figures about the newest 500 messages, spam and trash left out. The first look at a mailbox takes seconds. */
  @Get('stats')
  @ApiOperation({ summary: 'Figures about the live mailbox' })
  @ProviderProblems()
  async getMailboxStats(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: MailboxStatsQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<MailboxStatsResponse> {
    const { stats, profile } = await this.dashboard.mailboxStats(user.id, accountId, query, signal);
    return toMailboxStatsResponse(stats, profile);
  }

  /** Figures about the archive; they outlive the connection to the mailbox. */
  @Get('archive-stats')
  @ApiOperation({ summary: 'Figures about the archive' })
  async getArchiveStats(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ArchiveStatsResponse> {
    return toArchiveStatsResponse(await this.dashboard.archiveStats(user.id, accountId));
  }
}
