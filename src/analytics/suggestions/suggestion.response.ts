import { ApiProperty } from '@nestjs/swagger';
import { CleanupSuggestionEntity, SUGGESTION_TYPES, type SuggestionType } from '../cleanup-suggestion.entity';

export class SuggestionResponse {
  /** Stays the same when suggestions are computed again.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Why it is suggested. */
  @ApiProperty({ enum: SUGGESTION_TYPES, enumName: 'SuggestionType', example: 'bulk_unread' })
  type: SuggestionType;
  /** In one line. */
  @ApiProperty({ example: '60 unread mails from Shop News' })
  title: string;
  /** In one sentence. */
  @ApiProperty({ example: '60 of 64 mails from this sender are unread.' })
  description: string;
  /** Name and address. */
  @ApiProperty({ example: 'Shop News <news@shop.example>' })
  sender: string;
  /** Mails it is about. */
  @ApiProperty({ type: 'integer', example: 60 })
  emailCount: number;
  /** Bytes of all of them. */
  @ApiProperty({ type: 'integer', example: 7340032 })
  totalSizeBytes: number;
  /** Native query that selects them. */
  @ApiProperty({ example: 'from:(news@shop.example) is:unread' })
  query: string;
  /** Whether the user has dismissed it; dismissed ones are not listed.
   * @example false */
  isDismissed: boolean;
}

export class DismissedResponse {
  /** Always true.
   * @example true */
  ok: true;
}

export function toSuggestionResponse(suggestion: CleanupSuggestionEntity): SuggestionResponse {
  return {
    id: suggestion.id,
    type: suggestion.type,
    title: suggestion.title,
    description: suggestion.description,
    sender: suggestion.sender,
    emailCount: suggestion.emailCount,
    totalSizeBytes: suggestion.totalSizeBytes,
    query: suggestion.query,
    isDismissed: suggestion.dismissedAt !== null,
  };
}
