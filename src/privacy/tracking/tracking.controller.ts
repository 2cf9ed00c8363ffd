import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { PageQuery } from '../../platform/validation/page.dto';
import { AccountProblems } from '../../providers/port/mail-provider.errors';
import { StartTrackingScanDto } from './dto/tracking.dto';
import {
  toTrackingItemResponse,
  toTrackingStatsResponse,
  TrackingPageResponse,
  TrackingScanResponse,
  TrackingStatsResponse,
} from './dto/tracking.response';
import { TrackingService } from './tracking.service';

@ApiTags('privacy')
@OperationGroup('privacy')
@OwnsAccount()
@Controller('privacy/:accountId/tracking')
export class TrackingController {
  constructor(private readonly tracking: TrackingService) {}

  /**
   * Get how much of the mailbox is tracked. Covers all messages scanned so far, even if the account is disconnected.
   */
  @Get('stats')
  async getTrackingStats(@Param('accountId') accountId: string): Promise<TrackingStatsResponse> {
    return toTrackingStatsResponse(await this.tracking.computeStats(accountId));
  }

  /**
   * List messages with trackers, newest first. Returns each with the trackers found in it. Messages without trackers are
   * not listed.
   */
  @Get()
  @ListsRows()
  async listTracking(
    @Param('accountId') accountId: string,
    @Query() query: PageQuery,
  ): Promise<TrackingPageResponse> {
    const { scans, total } = await this.tracking.list(accountId, query);
    return { items: scans.map(toTrackingItemResponse), total, page: query.page, limit: query.limit };
  }

  /**
   * Scan the newest messages for tracking pixels. Starts a job. The findings of messages scanned before are replaced.
   * No message is fetched twice while the detection rules stay the same, and nothing is loaded from the senders.
   */
  @Post('scan')
  @HttpCode(202)
  @ApiBody({ type: StartTrackingScanDto, required: false })
  @AccountProblems()
  startTrackingScan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: StartTrackingScanDto,
  ): Promise<TrackingScanResponse> {
    return this.tracking.scan(user.id, accountId, body);
  }
}
