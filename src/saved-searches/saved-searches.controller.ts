import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { SomeFieldsPipe } from '../common/validation/some-fields.pipe';
import {
  CreateSavedSearchDto,
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

  /** The order is that of `sort_order`, which `reorder` sets. */
  @Get()
  @ApiOperation({ summary: 'The saved searches of the caller, in their order' })
  async list(@CurrentUser() user: AuthenticatedUser): Promise<SavedSearchResponse[]> {
    return (await this.searches.list(user.id)).map(toSavedSearchResponse);
  }

  /** Its `sort_order` is 0. Of searches with the same, the older come first. */
  @Post()
  @ApiOperation({ summary: 'Save a search' })
  @ApiProblems(new SavedSearchLimit())
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: CreateSavedSearchDto,
  ): Promise<SavedSearchResponse> {
    return toSavedSearchResponse(await this.searches.create(user.id, body));
  }

  /**
   * `ids` come first, in this order; searches that are not named keep theirs behind them. Nothing changes when one of
   * them is unknown.
   */
  // Above `:searchId`, which would take `reorder` for an id.
  @Put('reorder')
  @ApiOperation({ summary: 'Put the saved searches into a new order' })
  @ApiProblems(new ResourceNotFound('saved search'))
  async reorder(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: ReorderSavedSearchesDto,
  ): Promise<SavedSearchesDoneResponse> {
    await this.searches.reorder(user.id, body.ids);
    return { ok: true };
  }

  /** Fields that are not given stay as they are; `null` takes icon or colour away. */
  @Put(':searchId')
  @ApiOperation({ summary: 'Change a saved search' })
  @ApiProblems(new ResourceNotFound('saved search'))
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('searchId') searchId: string,
    @Body(SomeFieldsPipe) { sort_order: sortOrder, ...fields }: UpdateSavedSearchDto,
  ): Promise<SavedSearchResponse> {
    return toSavedSearchResponse(await this.searches.update(user.id, searchId, { ...fields, sortOrder }));
  }

  /** The messages it would find are not touched. */
  @Delete(':searchId')
  @ApiOperation({ summary: 'Delete a saved search' })
  @ApiProblems(new ResourceNotFound('saved search'))
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('searchId') searchId: string,
  ): Promise<SavedSearchesDoneResponse> {
    await this.searches.delete(user.id, searchId);
    return { ok: true };
  }
}
