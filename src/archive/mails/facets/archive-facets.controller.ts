import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListsRows } from '../../../platform/access/lists-rows';
import { OwnsAccount } from '../../../platform/access/policies';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { MailFilters } from '../dto/archive.dto';
import { ArchiveFacetsResponse } from '../dto/facets.response';
import { ArchiveFacetsService } from './archive-facets.service';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { ArchiveTermNotSupported } from '../archive.errors';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId/facets')
export class ArchiveFacetsController {
  constructor(private readonly facets: ArchiveFacetsService) {}

  /**
   * Count archived mails by label, sender and month of their `date`. Takes the filters of the lists of archived mails.
   */
  @Get()
  @ListsRows()
  @ApiProblems(new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }))
  getFacets(
    @Param('accountId') accountId: string,
    @Query() filters: MailFilters,
  ): Promise<ArchiveFacetsResponse> {
    return this.facets.countFacets(accountId, filters);
  }
}
