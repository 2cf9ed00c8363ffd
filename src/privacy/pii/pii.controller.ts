import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
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

  /** Get how much personal data the archive holds. Covers the last scan of each mail. */
  @Get('stats')
  async getPiiStats(@Param('accountId') accountId: string): Promise<PiiStatsResponse> {
    return toPiiStatsResponse(await this.pii.computeStats(accountId));
  }

  /**
   * List mails with personal data, newest first. Values are masked. The clear value is stored nowhere except in the
   * mail.
   */
  @Get()
  @ListsRows()
  async listPiiFindings(
    @Param('accountId') accountId: string,
    @Query() query: ListFindingsQuery,
  ): Promise<PiiFindingPageResponse> {
    const { findings, total } = await this.pii.list(accountId, query);
    return { items: findings.map(toPiiFindingResponse), total, page: query.page, limit: query.limit };
  }

  /**
   * Scan the archive for personal data. Starts a job over all archived mails. Encrypted mails are skipped, and their
   * earlier findings stay.
   */
  @Post('scan')
  @HttpCode(202)
  startPiiScan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<PiiScanResponse> {
    return this.pii.scan(user.id, accountId);
  }
}
