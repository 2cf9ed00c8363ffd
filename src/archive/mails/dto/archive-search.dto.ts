import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';
import { SORT_ORDERS, type SortOrder } from '../../../platform/validation/sort-order';
import { MailFilters } from './archive.dto';

const SEARCH_SORTS = ['date', 'size'] as const;

/** Filters of a search in several archives; all must match. */
export class SearchArchivesQuery extends IntersectionType(PageQuery, MailFilters) {
  /** Mailbox account whose archive alone is searched; it must be the caller's.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;

  /** Equal mails are sorted by date. */
  @ApiPropertyOptional({ enum: SEARCH_SORTS, default: 'date', example: 'date' })
  @IsOptional()
  @IsIn(SEARCH_SORTS)
  sort: (typeof SEARCH_SORTS)[number] = 'date';

  /** `asc` is the same list from its end. */
  @ApiPropertyOptional({ enum: SORT_ORDERS, default: 'desc', example: 'desc' })
  @IsOptional()
  @IsIn(SORT_ORDERS)
  order: SortOrder = 'desc';
}
