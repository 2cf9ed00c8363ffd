import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned, ApiKeyAccountRefused } from '../../../platform/access/access.errors';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../../platform/access/policies';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { SuggestionsQuery } from './search-suggestions.dto';
import { SearchSuggestionsResponse, toSearchSuggestionsResponse } from './search-suggestions.response';
import { SearchSuggestionsService } from './search-suggestions.service';

@ApiTags('search')
@OperationGroup('search')
@Authenticated()
@OpenToApiKeys({ confined: true })
@Controller('search/suggestions')
export class SearchSuggestionsController {
  constructor(private readonly suggestions: SearchSuggestionsService) {}

  /**
   * Suggest people and labels for a search that is being typed. People are senders of archived mail, and of the newest 3,000 indexed
   * messages of each mailbox; labels are those of the last time that a mailbox was asked. No mailbox is asked.
   */
  @Get()
  @ListsRows()
  @ApiProblems(new AccountNotOwned(), new ApiKeyAccountRefused())
  async suggest(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: SuggestionsQuery,
  ): Promise<SearchSuggestionsResponse> {
    return toSearchSuggestionsResponse(await this.suggestions.suggest(user, query));
  }
}
