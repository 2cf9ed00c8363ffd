import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { ListFindingsQuery } from './dto/pii.dto';
import {
  PiiFindingPageResponse,
  PiiScanResponse,
  PiiStatsResponse,
  toPiiFindingResponse,
  toPiiStatsResponse,
} from './dto/pii.response';
import { PiiService } from './pii.service';

@ApiTags('privacy')
@OperationGroup('privacy')
@OwnsAccount()
@Controller('privacy/:accountId/pii')
export class PiiController {
  constructor(private readonly pii: PiiService) {}

  /** Counts come from the last scan of each mail; mail that was never scanned is not included. */
  @Get('stats')
  @ApiOperation({ summary: 'Get statistics of personal data in the archive' })
  async getPiiStats(@Param('accountId') accountId: string): Promise<PiiStatsResponse> {
    return toPiiStatsResponse(await this.pii.stats(accountId));
  }

  /** Values are masked; they are stored in the mails alone. */
  @Get()
  @ApiOperation({ summary: 'List mails with personal data, newest first' })
  async listPiiFindings(
    @Param('accountId') accountId: string,
    @Query() query: ListFindingsQuery,
  ): Promise<PiiFindingPageResponse> {
    const { findings, total } = await this.pii.list(accountId, query);
    return { items: findings.map(toPiiFindingResponse), total, page: query.page, limit: query.limit };
  }

  /** Starts a job over all archived mails. It skips encrypted mails, whose earlier findings stay. */
  @Post('scan')
  @HttpCode(202)
  @ApiOperation({ summary: 'Scan the archive for personal data' })
  startPiiScan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<PiiScanResponse> {
    return this.pii.scan(user.id, accountId);
  }
}
