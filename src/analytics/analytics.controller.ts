import { Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys, OwnsAccount } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { ProviderProblems } from '../mail-provider/mail-provider.errors';
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

  /** All 168 hours of a week, Monday 0 h first, with how many of the newest 500 messages arrived in each. */
  @Get('heatmap')
  @ApiOperation({ summary: 'When mail arrives' })
  async getHeatmap(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: HeatmapQuery,
  ): Promise<HeatmapCellResponse[]> {
    return (await this.heatmaps.heatmap(user.id, accountId, query.tz, query.refresh)).map(
      toHeatmapCellResponse,
    );
  }

  /** Over all indexed mail but spam, trash and the account's own; most cluttered first. */
  @Get('sender-scores')
  @ApiOperation({ summary: 'How much each sender clutters the mailbox' })
  async getSenderScores(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: SenderScoresQuery,
  ): Promise<SenderScoreResponse[]> {
    return (await this.senderScores.scores(user.id, accountId, query.limit, query.refresh)).map(
      toSenderScoreResponse,
    );
  }

  /** At most 100, largest first, without dismissed ones. */
  @Get('cleanup-suggestions')
  @ApiOperation({ summary: 'What is worth cleaning up' })
  async getCleanupSuggestions(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<SuggestionResponse[]> {
    return (await this.suggestions.list(user.id, accountId, query.refresh)).map(toSuggestionResponse);
  }

  /** Counts of the inbox now, the lowest of each of the last 30 days, and for how many days in a row it was empty. */
  @Get('inbox-zero')
  @ApiOperation({ summary: 'How empty the inbox is and was' })
  async getInboxZero(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<InboxZeroResponse> {
    return toInboxZeroResponse(await this.inboxes.overview(user.id, accountId, query.refresh));
  }

  /** Snapshots are also taken every six hours. */
  @Post('inbox-zero/snapshot')
  @HttpCode(200)
  @ApiOperation({ summary: 'Record now how empty the inbox is' })
  async takeInboxSnapshot(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<InboxCountsResponse> {
    return toInboxCountsResponse(await this.inboxes.snapshot(user.id, accountId));
  }
}

@ApiTags('analytics')
@OperationGroup('analytics')
@Authenticated()
@OpenToApiKeys()
@Controller('analytics/suggestions')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  /** It is not suggested again. */
  @Patch(':suggestionId/dismiss')
  @ApiOperation({ summary: 'Dismiss a cleanup suggestion' })
  @ApiProblems(new ResourceNotFound('suggestion'))
  async dismissSuggestion(
    @CurrentUser() user: AuthenticatedUser,
    @Param('suggestionId') suggestionId: string,
  ): Promise<DismissedResponse> {
    await this.suggestions.dismiss(user.id, suggestionId);
    return { ok: true };
  }
}
