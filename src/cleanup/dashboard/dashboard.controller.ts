import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ClientSignal } from '../../platform/http/client-signal';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ProviderProblems } from '../../providers/port/mail-provider.errors';
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

  /**
   * Get figures about the live mailbox. Covers the newest 500 messages, or with `scope=all` everything that is indexed,
   * except spam and trash. The first request for a mailbox takes a few seconds.
   */
  @Get('stats')
  @ProviderProblems()
  async getMailboxStats(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: MailboxStatsQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<MailboxStatsResponse> {
    const { stats, profile, coverage } = await this.dashboard.computeMailboxStats(
      user.id,
      accountId,
      query,
      signal,
    );
    return toMailboxStatsResponse(stats, profile, coverage);
  }

  /** Get figures about the archive. They remain available after the mailbox is disconnected. */
  @Get('archive-stats')
  async getArchiveStats(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ArchiveStatsResponse> {
    return toArchiveStatsResponse(await this.dashboard.computeArchiveStats(user.id, accountId));
  }
}
