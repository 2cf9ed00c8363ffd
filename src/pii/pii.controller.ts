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

  /** Of the last scan of each mail; mail that was never scanned counts nothing. */
  @Get('stats')
  @ApiOperation({ summary: 'How much personal data the archive holds' })
  async getPiiStats(@Param('accountId') accountId: string): Promise<PiiStatsResponse> {
    return toPiiStatsResponse(await this.pii.stats(accountId));
  }

  /** Values are shown masked; they are stored nowhere but in the mails. */
  @Get()
  @ApiOperation({ summary: 'Mails with personal data, newest first' })
  async listPiiFindings(
    @Param('accountId') accountId: string,
    @Query() query: ListFindingsQuery,
  ): Promise<PiiFindingPageResponse> {
    const { findings, total } = await this.pii.list(accountId, query);
    return { items: findings.map(toPiiFindingResponse), total, page: query.page, limit: query.limit };
  }

  /** Starts a job over all archived mails. Encrypted ones are skipped: their earlier findings stay. */
  @Post('scan')
  @HttpCode(202)
  @ApiOperation({ summary: 'Look through the archive for personal data' })
  startPiiScan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<PiiScanResponse> {
    return this.pii.scan(user.id, accountId);
  }
}
