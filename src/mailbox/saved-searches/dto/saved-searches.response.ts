import { ApiProperty } from '@nestjs/swagger';
import { SAVED_SEARCH_ICONS } from './saved-searches.dto';
import { SAVED_SEARCH_SCOPES, type SavedSearchScope } from '../saved-search.entity';
import type { SavedSearch } from '../saved-searches.repository';

/** A saved search. */
export class SavedSearchResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Id of its owner.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c */
  @ApiProperty({ format: 'uuid' })
  user_id: string;
  /** Name of the search. */
  @ApiProperty({ example: 'Invoices this year' })
  name: string;
  /** Scope of the search: the mailbox or the archive. */
  @ApiProperty({ enum: SAVED_SEARCH_SCOPES, enumName: 'SavedSearchScope', example: 'mailbox' })
  scope: SavedSearchScope;
  /** Query in the provider's own search language; for the archive, query parameters of its lists. */
  @ApiProperty({ example: 'subject:invoice has:attachment newer_than:1y' })
  query: string;
  /** Icon shown with the search. */
  @ApiProperty({ enum: SAVED_SEARCH_ICONS, nullable: true, example: 'invoice' })
  icon: string | null;
  /** Colour shown with the search.
   * @example #3b82f6 */
  color: string | null;
  /** Position in the list, in ascending order. */
  @ApiProperty({ type: 'integer', example: 0 })
  sort_order: number;
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:30:00.000Z' })
  created_at: string;
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:30:00.000Z' })
  updated_at: string;
}

/** Confirmation that the request was carried out. */
export class SavedSearchesDoneResponse {
  /** @example true */
  ok: true;
}

export function toSavedSearchResponse(search: SavedSearch): SavedSearchResponse {
  return {
    id: search.id,
    user_id: search.userId,
    name: search.name,
    scope: search.scope,
    query: search.query,
    icon: search.icon,
    color: search.color,
    sort_order: search.sortOrder,
    created_at: search.createdAt,
    updated_at: search.updatedAt,
  };
}
