import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { PageQuery } from '../common/validation/page.dto';
import { AccountProblems } from '../mail-provider/mail-provider.errors';
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

  /** Of all messages scanned so far, whether or not the account is still connected. */
  @Get('stats')
  @ApiOperation({ summary: 'How much of the mailbox is tracked, and by whom' })
  async getTrackingStats(@Param('accountId') accountId: string): Promise<TrackingStatsResponse> {
    return toTrackingStatsResponse(await this.tracking.stats(accountId));
  }

  /** Each with the trackers found in it; messages without any are not listed. */
  @Get()
  @ApiOperation({ summary: 'Messages with trackers, newest first' })
  async listTracking(
    @Param('accountId') accountId: string,
    @Query() query: PageQuery,
  ): Promise<TrackingPageResponse> {
    const { scans, total } = await this.tracking.list(accountId, query);
    return { items: scans.map(toTrackingItemResponse), total, page: query.page, limit: query.limit };
  }

  /**
   * Starts a job that looks for trackers in the newest messages. Findings of messages scanned before are replaced;
   * no message is fetched twice as long as the rules stay the same, and nothing that a message points at is fetched
   * at all.
   */
  @Post('scan')
  @HttpCode(202)
  @ApiOperation({ summary: 'Scan the newest messages for trackers' })
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
