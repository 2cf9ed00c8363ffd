import { ApiProperty } from '@nestjs/swagger';
import { SAVED_SEARCH_ICONS } from './saved-searches.dto';
import type { SavedSearchEntity } from '../saved-search.entity';

/** A query its owner wants to keep. */
export class SavedSearchResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Its owner.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c */
  @ApiProperty({ format: 'uuid' })
  user_id: string;
  /** What the search is called. */
  @ApiProperty({ example: 'Invoices this year' })
  name: string;
  /** What is searched for, in the provider's own search language. */
  @ApiProperty({ example: 'subject:invoice has:attachment newer_than:1y' })
  query: string;
  /** Icon shown with it. */
  @ApiProperty({ enum: SAVED_SEARCH_ICONS, nullable: true, example: 'invoice' })
  icon: string | null;
  /** Colour shown with it.
   * @example #3b82f6 */
  color: string | null;
  /** Its place in the list: the smaller, the earlier. */
  @ApiProperty({ type: 'integer', example: 0 })
  sort_order: number;
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:30:00.000Z' })
  created_at: string;
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:30:00.000Z' })
  updated_at: string;
}

/** What was asked for is done. */
export class SavedSearchesDoneResponse {
  /** @example true */
  ok: true;
}

export function toSavedSearchResponse(search: SavedSearchEntity): SavedSearchResponse {
  return {
    id: search.id,
    user_id: search.userId,
    name: search.name,
    query: search.query,
    icon: search.icon,
    color: search.color,
    sort_order: search.sortOrder,
    created_at: search.createdAt.toISOString(),
    updated_at: search.updatedAt.toISOString(),
  };
}
