import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned, ApiKeyAccountRefused } from '../../access/access.errors';
import type { AuthenticatedUser } from '../../access/authenticated-user';
import { ListsRows } from '../../access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../access/policies';
import { ApiProblems } from '../../common/openapi/api-problems';
import { OperationGroup } from '../../common/openapi/operation-group';
import { SearchArchivesQuery } from '../dto/archive-search.dto';
import { ArchiveSearchResponse, toArchiveSearchResponse } from '../dto/archive-search.response';
import { ArchiveSearchService } from './archive-search.service';

@ApiTags('archive')
@OperationGroup('archive')
@Authenticated()
@OpenToApiKeys({ confined: true })
@Controller('archive/search')
export class ArchiveSearchController {
  constructor(private readonly archives: ArchiveSearchService) {}

  /**
   * Search the archives of all your mailboxes, newest first unless sorted. Takes the filters of the list of one archive.
   * Disconnected mailboxes are included. The first 1,000 mails can be listed; narrow the search, or list one archive, for
   * more.
   */
  @Get()
  @ListsRows()
  @ApiProblems(new AccountNotOwned(), new ApiKeyAccountRefused())
  async search(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: SearchArchivesQuery,
  ): Promise<ArchiveSearchResponse> {
    return toArchiveSearchResponse(await this.archives.search(user, query), query);
  }
}
