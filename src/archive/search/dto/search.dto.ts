import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';

/** Where a search looks. */
export const SEARCH_PLACES = ['all', 'mailbox', 'archive'] as const;
export type SearchPlace = (typeof SEARCH_PLACES)[number];

export const SEARCH_SORTS = ['date', 'relevance'] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

export class SearchQuery extends PageQuery {
  /** The query, in the language of `docs/searching.md`. A term that an archive cannot search for is refused by name. */
  @ApiProperty({ minLength: 1, example: 'invoice "annual report"' })
  @IsString()
  @MaxLength(2_000)
  @Matches(/\S/, { message: 'q must not be empty' })
  q: string;

  /** Mailbox account that alone is searched; it must be the caller's.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;

  /** Whether live mailboxes, archives, or both are searched. */
  @ApiPropertyOptional({ enum: SEARCH_PLACES, default: 'all', example: 'all' })
  @IsOptional()
  @IsIn(SEARCH_PLACES)
  place: SearchPlace = 'all';

  /** `date`: newest first. `relevance`: best first, among the newest 1,000 mails that match in each account. */
  @ApiPropertyOptional({ enum: SEARCH_SORTS, default: 'date', example: 'date' })
  @IsOptional()
  @IsIn(SEARCH_SORTS)
  sort: SearchSort = 'date';
}
