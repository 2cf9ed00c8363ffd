import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import {
  CreateSavedSearchDto,
  ListSavedSearchesQuery,
  ReorderSavedSearchesDto,
  UpdateSavedSearchDto,
} from './dto/saved-searches.dto';
import {
  SavedSearchesDoneResponse,
  SavedSearchResponse,
  toSavedSearchResponse,
} from './dto/saved-searches.response';
import { SavedSearchLimit } from './saved-searches.errors';
import { SavedSearchesService } from './saved-searches.service';

@ApiTags('saved-searches')
@OperationGroup('savedSearches')
@Authenticated()
@OpenToApiKeys()
@Controller('saved-searches')
export class SavedSearchesController {
  constructor(private readonly searches: SavedSearchesService) {}

  /**
   * List your saved searches in order. They are sorted by `sort_order`, which `reorder` sets. Default: searches of both
   * scopes.
   */
  @Get()
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() { scope }: ListSavedSearchesQuery,
  ): Promise<SavedSearchResponse[]> {
    return (await this.searches.list(user.id, scope)).map(toSavedSearchResponse);
  }

  /** Save a search. Its `sort_order` is 0. Searches with the same `sort_order` are listed oldest first. */
  @Post()
  @ApiProblems(new SavedSearchLimit())
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: CreateSavedSearchDto,
  ): Promise<SavedSearchResponse> {
    return toSavedSearchResponse(await this.searches.create(user.id, body));
  }

  /**
   * Reorder your saved searches. The searches in `ids` come first, in this order; the others follow in their present
   * order. If an id is unknown, nothing changes.
   */
  // Declared above `:searchId`, which would take `reorder` for an id.
  @Put('reorder')
  @ApiProblems(new ResourceNotFound('saved search'))
  async reorder(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: ReorderSavedSearchesDto,
  ): Promise<SavedSearchesDoneResponse> {
    await this.searches.reorder(user.id, body.ids);
    return { ok: true };
  }

  /** Change a saved search. Omitted fields stay unchanged. `null` removes the icon or the colour. */
  @Put(':searchId')
  @ApiProblems(new ResourceNotFound('saved search'))
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('searchId') searchId: string,
    @Body(SomeFieldsPipe) { sort_order: sortOrder, ...fields }: UpdateSavedSearchDto,
  ): Promise<SavedSearchResponse> {
    return toSavedSearchResponse(await this.searches.update(user.id, searchId, { ...fields, sortOrder }));
  }

  /** Delete a saved search. The messages that it finds are not affected. */
  @Delete(':searchId')
  @ApiProblems(new ResourceNotFound('saved search'))
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('searchId') searchId: string,
  ): Promise<SavedSearchesDoneResponse> {
    await this.searches.delete(user.id, searchId);
    return { ok: true };
  }
}
