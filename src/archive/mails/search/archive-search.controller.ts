import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned, ApiKeyAccountRefused } from '../../../platform/access/access.errors';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../../platform/access/policies';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { SearchArchivesQuery } from '../dto/archive-search.dto';
import { ArchiveSearchResponse, toArchiveSearchResponse } from '../dto/archive-search.response';
import { ArchiveSearchService } from './archive-search.service';
import { ArchiveTermNotSupported } from '../archive.errors';

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
  @ApiProblems(
    new AccountNotOwned(),
    new ApiKeyAccountRefused(),
    new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }),
  )
  async search(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: SearchArchivesQuery,
  ): Promise<ArchiveSearchResponse> {
    return toArchiveSearchResponse(await this.archives.search(user, query), query);
  }
}
