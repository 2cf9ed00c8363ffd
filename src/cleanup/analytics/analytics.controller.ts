import { Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys, OwnsAccount } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ProviderProblems } from '../../providers/port/mail-provider.errors';
import { AnalyticsQuery, HeatmapQuery, SenderScoresQuery } from './dto/analytics.dto';
import {
  DismissedResponse,
  HeatmapCellResponse,
  InboxCountsResponse,
  InboxZeroResponse,
  SenderScoreResponse,
  SuggestionResponse,
  toHeatmapCellResponse,
  toInboxCountsResponse,
  toInboxZeroResponse,
  toSenderScoreResponse,
  toSuggestionResponse,
} from './dto/analytics.response';
import { HeatmapService } from './heatmap.service';
import { InboxZeroService } from './inbox-zero.service';
import { SenderScoresService } from './sender-scores.service';
import { SuggestionsService } from './suggestions.service';

@ApiTags('analytics')
@OperationGroup('analytics')
@OwnsAccount()
@ProviderProblems()
@Controller('analytics/:accountId')
export class AnalyticsController {
  constructor(
    private readonly heatmaps: HeatmapService,
    private readonly senderScores: SenderScoresService,
    private readonly suggestions: SuggestionsService,
    private readonly inboxes: InboxZeroService,
  ) {}

  /**
   * Get the hours at which mail arrives. All 168 hours of a week, starting Monday at 0:00, each with the number of
   * the newest 500 messages that arrived then.
   */
  @Get('heatmap')
  async getHeatmap(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: HeatmapQuery,
  ): Promise<HeatmapCellResponse[]> {
    return (await this.heatmaps.getHeatmap(user.id, accountId, query.tz, query.refresh)).map(
      toHeatmapCellResponse,
    );
  }

  /**
   * Get how much each sender clutters the mailbox. Covers all indexed mail except spam, trash and sent mail. Most
   * cluttered first.
   */
  @Get('sender-scores')
  async getSenderScores(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: SenderScoresQuery,
  ): Promise<SenderScoreResponse[]> {
    return (await this.senderScores.listScores(user.id, accountId, query.limit, query.refresh)).map(
      toSenderScoreResponse,
    );
  }

  /**
   * Get cleanup suggestions. At most 100, without dismissed ones: newsletters that are rarely read first, mail that may be receipts or
   * other records last, and the largest first among those of a type.
   */
  @Get('cleanup-suggestions')
  async getCleanupSuggestions(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<SuggestionResponse[]> {
    return (await this.suggestions.list(user.id, accountId, query.refresh)).map(toSuggestionResponse);
  }

  /**
   * Get the size of the inbox over time. The current counts, the lowest count of each of the last 30 days, and the
   * number of consecutive days with an empty inbox.
   */
  @Get('inbox-zero')
  async getInboxZero(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<InboxZeroResponse> {
    return toInboxZeroResponse(await this.inboxes.getOverview(user.id, accountId, query.refresh));
  }

  /** Record the size of the inbox now. The service also records it every six hours. */
  @Post('inbox-zero/snapshot')
  @HttpCode(200)
  async takeInboxSnapshot(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<InboxCountsResponse> {
    return toInboxCountsResponse(await this.inboxes.takeSnapshot(user.id, accountId));
  }
}

@ApiTags('analytics')
@OperationGroup('analytics')
@Authenticated()
@OpenToApiKeys()
@Controller('analytics/suggestions')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  /** Dismiss a cleanup suggestion. It is not suggested again. */
  @Patch(':suggestionId/dismiss')
  @ApiProblems(new ResourceNotFound('suggestion'))
  async dismissSuggestion(
    @CurrentUser() user: AuthenticatedUser,
    @Param('suggestionId') suggestionId: string,
  ): Promise<DismissedResponse> {
    await this.suggestions.dismiss(user.id, suggestionId);
    return { ok: true };
  }
}
