import { ApiProperty } from '@nestjs/swagger';
import {
  MAX_NAME,
  MAX_QUERY,
  SavedSearchColor,
  SavedSearchIcon,
  SavedSearchName,
  SavedSearchQuery,
} from './saved-search-fields';

export class CreateSavedSearchDto {
  /** What the search is called. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Invoices this year' })
  @SavedSearchName()
  name: string;

  /** What is searched for, in the provider's own search language. */
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_QUERY,
    example: 'subject:invoice has:attachment newer_than:1y',
  })
  @SavedSearchQuery()
  query: string;

  /** Icon shown with it. */
  @SavedSearchIcon()
  icon?: string | null;

  /** Colour shown with it. */
  @SavedSearchColor()
  color?: string | null;
}
