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

  /** Covers all messages scanned so far, whether or not the account is still connected. */
  @Get('stats')
  @ApiOperation({ summary: 'Get tracking statistics of the mailbox' })
  async getTrackingStats(@Param('accountId') accountId: string): Promise<TrackingStatsResponse> {
    return toTrackingStatsResponse(await this.tracking.stats(accountId));
  }

  /** Each message comes with its trackers; messages without trackers are not listed. */
  @Get()
  @ApiOperation({ summary: 'List messages with trackers, newest first' })
  async listTracking(
    @Param('accountId') accountId: string,
    @Query() query: PageQuery,
  ): Promise<TrackingPageResponse> {
    const { scans, total } = await this.tracking.list(accountId, query);
    return { items: scans.map(toTrackingItemResponse), total, page: query.page, limit: query.limit };
  }

  /**
   * Starts a job that looks for trackers in the newest messages. It replaces findings of earlier scans, and does not
   * fetch a message again while the detection rules stay the same. It never requests an address that a message
   * contains.
   */
  @Post('scan')
  @HttpCode(202)
  @ApiOperation({ summary: 'Scan for tracking pixels and links' })
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
