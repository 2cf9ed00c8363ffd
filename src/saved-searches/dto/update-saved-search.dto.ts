import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../common/http/validation/may-be-absent';
import {
  MAX_NAME,
  MAX_QUERY,
  SavedSearchColor,
  SavedSearchIcon,
  SavedSearchName,
  SavedSearchQuery,
} from './saved-search-fields';

/** What the column holds. */
const MIN_ORDER = -2_147_483_648;
const MAX_ORDER = 2_147_483_647;

/** Any of the fields; null clears icon and colour. */
export class UpdateSavedSearchDto {
  /** What the search is called. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_NAME, example: 'Invoices this year' })
  @MayBeAbsent()
  @SavedSearchName()
  name?: string;

  /** What is searched for, in the provider's own search language. */
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_QUERY,
    example: 'subject:invoice has:attachment newer_than:1y',
  })
  @MayBeAbsent()
  @SavedSearchQuery()
  query?: string;

  /** Icon shown with it. */
  @SavedSearchIcon()
  icon?: string | null;

  /** Colour shown with it. */
  @SavedSearchColor()
  color?: string | null;

  /** Its place in the list: the smaller, the earlier. */
  @ApiPropertyOptional({ type: 'integer', minimum: MIN_ORDER, maximum: MAX_ORDER, example: 3 })
  @MayBeAbsent()
  @IsInt()
  @Min(MIN_ORDER)
  @Max(MAX_ORDER)
  sort_order?: number;
}
