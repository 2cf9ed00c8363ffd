import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned, ApiKeyAccountRefused } from '../../platform/access/access.errors';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ClientSignal } from '../../platform/http/client-signal';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchiveTermNotSupported } from '../mails/archive.errors';
import { SearchQuery } from './dto/search.dto';
import { SearchResponse, toSearchResponse } from './dto/search.response';
import { SearchService } from './search.service';

@ApiTags('search')
@OperationGroup('search')
@Authenticated()
@OpenToApiKeys({ confined: true })
@Controller('search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  /**
   * Search live mail and archives as one list. Each message is listed once, and marked as being in the mailbox, in the archive or in
   * both. A mailbox that cannot be searched now is named in `live_search`, while its archive is searched. The first 1,000 messages
   * can be listed.
   */
  @Get()
  @ListsRows()
  @ApiProblems(
    new AccountNotOwned(),
    new ApiKeyAccountRefused(),
    new ArchiveTermNotSupported('is:snoozed', { offset: 8, length: 10 }),
  )
  async search(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: SearchQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<SearchResponse> {
    return toSearchResponse(await this.searches.search(user, query, signal), query);
  }
}
