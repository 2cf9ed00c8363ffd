import { ApiProperty } from '@nestjs/swagger';
import type { Selection } from '../selections.service';

/** A selection, with the figures on which users decide. The counts are those of the selected messages. */
export class SelectionResponse {
  /** Id for `selectionId` of bulk changes and archiving.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** The query of the request.
   * @example "from:newsletter@example.org older_than:1y" */
  query: string;
  /** Messages selected; for `confirmedCount`. */
  @ApiProperty({ type: 'integer', example: 4_780 })
  count: number;
  @ApiProperty({ type: 'integer', example: 812 })
  unreadCount: number;
  @ApiProperty({ type: 'integer', example: 0 })
  starredCount: number;
  @ApiProperty({ type: 'integer', example: 0 })
  importantCount: number;
  /** Starred messages that the query found and that are not selected. */
  @ApiProperty({ type: 'integer', example: 20 })
  leftOutStarredCount: number;
  /** Important messages that the query found and that are not selected. A message with both marks counts as both. */
  @ApiProperty({ type: 'integer', example: 12 })
  leftOutImportantCount: number;
  /** Size in bytes, by the provider's estimate; null until all of the messages are indexed. */
  @ApiProperty({ type: 'integer', nullable: true, example: 2_040_109_465 })
  sizeBytes: number | null;
  /** Arrival of the oldest message; null when there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2019-03-02T08:11:00.000Z' })
  oldest: string | null;
  /** Arrival of the newest message; null when there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-11-20T17:45:12.000Z' })
  newest: string | null;
  /** Time until which the selection can be used, any number of times. */
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:45:00.000Z' })
  expires_at: string;
}

export function toSelectionResponse(query: string, selection: Selection): SelectionResponse {
  return {
    id: selection.id,
    query,
    count: selection.count,
    unreadCount: selection.unread,
    starredCount: selection.starred,
    importantCount: selection.important,
    leftOutStarredCount: selection.leftOutStarred,
    leftOutImportantCount: selection.leftOutImportant,
    sizeBytes: selection.bytes,
    oldest: selection.oldest?.toISOString() ?? null,
    newest: selection.newest?.toISOString() ?? null,
    expires_at: selection.expiresAt.toISOString(),
  };
}
