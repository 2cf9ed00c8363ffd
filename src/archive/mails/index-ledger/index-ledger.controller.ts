import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { IndexItemsQuery, RetryIndexingDto } from '../dto/index-ledger.dto';
import {
  IndexItemPageResponse,
  IndexLedgerResponse,
  IndexRetryResponse,
  toIndexItemPageResponse,
  toIndexLedgerResponse,
} from '../dto/index-ledger.response';
import { IndexLedgerService } from './index-ledger.service';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId/index')
export class IndexLedgerController {
  constructor(private readonly ledger: IndexLedgerService) {}

  /**
   * Count archived mails and attachments by what is indexed of them. Each mail and each attachment is in one of six classes, which
   * add up to the total. A mail stands there for its header and its own text, without attachments. `check` is the latest nightly check.
   */
  @Get()
  @ListsRows()
  async getIndex(@Param('accountId') accountId: string): Promise<IndexLedgerResponse> {
    return toIndexLedgerResponse(await this.ledger.read(accountId));
  }

  /** List the mails or attachments of a class of the index. Those of the newest mails come first; the first 10,000 can be listed. */
  @Get('items')
  @ListsRows()
  async listIndexItems(
    @Param('accountId') accountId: string,
    @Query() query: IndexItemsQuery,
  ): Promise<IndexItemPageResponse> {
    return toIndexItemPageResponse(await this.ledger.list(accountId, query), query);
  }

  /**
   * Index again what could not be indexed as a whole. Mails and attachments of a class wait to be read once more in the background,
   * at most 10,000 of each at a time; what is known of them stays until then. Encrypted mail is left out.
   */
  @Post('retry')
  @HttpCode(200)
  async retryIndexing(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: RetryIndexingDto,
  ): Promise<IndexRetryResponse> {
    return { retried: await this.ledger.retry({ userId: user.id, accountId }, body) };
  }
}
