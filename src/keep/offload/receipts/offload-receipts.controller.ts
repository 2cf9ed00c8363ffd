import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { setDownloadHeaders } from '../../../platform/http/downloads';
import { streamTo } from '../../../platform/http/ranged-downloads';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { NotInWebClient } from '../../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { ListPlansQuery } from '../dto/offload.dto';
import {
  OffloadReceiptResponse,
  OffloadReceiptsResponse,
  toReceiptResponse,
  toReceiptsResponse,
} from '../dto/offload.response';
import { OffloadReceiptsService } from './offload-receipts.service';

const NO_RECEIPT = [new ResourceNotFound('offload plan'), new ResourceNotFound('offload receipt')];
const NDJSON = 'application/x-ndjson';
const ITEM_LINE =
  '{"messageId":"18c2f1a9b3d4e5f6","messageIdHeader":"<1@example.com>","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",' +
  '"size":48210,"mailId":"01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d","verifiedAt":"2026-11-20T10:00:00.000Z",' +
  '"comparedAt":"2026-11-20T10:00:01.000Z","trashedAt":"2026-11-20T10:00:02.000Z"}\n';

@ApiTags('offload')
@OperationGroup('offload')
@OwnsAccount()
@Controller('offload/:accountId/receipts')
export class OffloadReceiptsController {
  constructor(private readonly receipts: OffloadReceiptsService) {}

  /** List offload receipts, newest first. Each names the one before by its hash. */
  @Get()
  @ListsRows()
  @NotInWebClient('pages list the plans, of which those that are done link to their receipts')
  async listReceipts(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() { after, limit }: ListPlansQuery,
  ): Promise<OffloadReceiptsResponse> {
    const receipts = await this.receipts.list({ userId: user.id, accountId }, after ?? null, limit);
    return toReceiptsResponse(receipts, limit);
  }

  /** Get the receipt of an offload. A signed statement, which can be checked without this service. */
  @Get(':planId')
  @ApiProblems(...NO_RECEIPT)
  async getReceipt(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('planId') planId: string,
  ): Promise<OffloadReceiptResponse> {
    return toReceiptResponse(await this.receipts.get({ userId: user.id, accountId }, planId));
  }

  /** Get the messages that a receipt is about. One JSON object per line; the statement has the SHA-256 of all lines. */
  @Get(':planId/items')
  @ApiProduces(NDJSON)
  @ApiOkResponse({
    description: 'A line for each message',
    content: { [NDJSON]: { schema: { type: 'string' }, example: ITEM_LINE } },
  })
  @ApiProblems(...NO_RECEIPT)
  async getReceiptItems(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('planId') planId: string,
    @Res() response: Response,
  ): Promise<void> {
    const lines = await this.receipts.readLines({ userId: user.id, accountId }, planId);
    setDownloadHeaders(response, { filename: `offload-${planId}.ndjson`, mimeType: NDJSON });
    return streamTo(response, Readable.from(lines, { objectMode: false }));
  }
}
