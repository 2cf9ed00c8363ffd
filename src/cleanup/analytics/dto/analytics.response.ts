import { ApiProperty } from '@nestjs/swagger';
import { SUGGESTION_TYPES, type SuggestionType } from '../analytics.entity';
import type { ScoredSender } from '../clutter-score';
import type { HeatmapCell } from '../heatmap.service';
import type { InboxCounts, InboxDay } from '../inbox-days.repository';
import type { InboxOverview } from '../inbox-zero.service';
import type { ListedSuggestion } from '../suggestions.service';

export class HeatmapCellResponse {
  /** Day of the week, 0 = Monday to 6 = Sunday. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 6, example: 0 })
  day: number;
  /** Hour of the day. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 23, example: 9 })
  hour: number;
  /** Number of messages that arrived in this hour. */
  @ApiProperty({ type: 'integer', example: 12 })
  count: number;
}

export function toHeatmapCellResponse({ day, hour, count }: HeatmapCell): HeatmapCellResponse {
  return { day, hour, count };
}

export class SenderScoreResponse {
  /** Newest display name and address. */
  @ApiProperty({ example: 'Shop News <news@shop.example>' })
  sender: string;
  /** Number of mails from this sender. */
  @ApiProperty({ type: 'integer', example: 64 })
  emailCount: number;
  /** Total size of the mails in bytes. */
  @ApiProperty({ type: 'integer', example: 7340032 })
  totalSizeBytes: number;
  /** Number of unread mails. */
  @ApiProperty({ type: 'integer', example: 60 })
  unreadCount: number;
  /** Whether there is a List-Unsubscribe header, or mail in the promotions category.
   * @example true */
  hasUnsubscribe: boolean;
  /** Share of mails that have been read, 0 to 1. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: 0.0625 })
  readRate: number;
  /** Clutter score, 0 to 100; 100 is the most cluttered. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 77 })
  clutterScore: number;
}

export function toSenderScoreResponse(scored: ScoredSender): SenderScoreResponse {
  return {
    sender: scored.sender,
    emailCount: scored.emailCount,
    totalSizeBytes: scored.totalSizeBytes,
    unreadCount: scored.unreadCount,
    hasUnsubscribe: scored.hasUnsubscribe,
    readRate: scored.readRate,
    clutterScore: scored.clutterScore,
  };
}

export class SuggestionResponse {
  /** Stays the same when suggestions are computed again.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Reason for the suggestion. */
  @ApiProperty({ enum: SUGGESTION_TYPES, enumName: 'SuggestionType', example: 'bulk_unread' })
  type: SuggestionType;
  /** Title of one line. */
  @ApiProperty({ example: '60 unread mails from Shop News' })
  title: string;
  /** Explanation in one sentence. */
  @ApiProperty({ example: '60 of 64 mails from this sender are unread.' })
  description: string;
  /** Name and address of the sender. */
  @ApiProperty({ example: 'Shop News <news@shop.example>' })
  sender: string;
  /** Number of mails that the query selects. */
  @ApiProperty({ type: 'integer', example: 60 })
  emailCount: number;
  /** Total size of the mails in bytes. */
  @ApiProperty({ type: 'integer', example: 7340032 })
  totalSizeBytes: number;
  /** Native query that selects the mails. */
  @ApiProperty({ example: 'from:(news@shop.example) is:unread' })
  query: string;
  /** Whether the user has dismissed it; dismissed ones are not listed.
   * @example false */
  isDismissed: boolean;
  /** Whether words of the sender or the subjects say that the mail may be receipts, invoices or other records to keep.
   * @example false */
  mayBeRecords: boolean;
}

export class DismissedResponse {
  /** Always true.
   * @example true */
  ok: true;
}

export function toSuggestionResponse(suggestion: ListedSuggestion): SuggestionResponse {
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
    mayBeRecords: suggestion.mayBeRecords,
  };
}

export class InboxCountsResponse {
  /** Number of messages in the inbox. */
  @ApiProperty({ type: 'integer', example: 42 })
  inboxCount: number;
  /** Number of unread messages in the inbox. */
  @ApiProperty({ type: 'integer', example: 7 })
  unreadCount: number;
}

export class InboxDayResponse extends InboxCountsResponse {
  /** Day in UTC.
   * @example 2026-03-09 */
  @ApiProperty({ format: 'date' })
  date: string;
}

export class InboxZeroResponse {
  /** Current counts, at most 15 minutes old. */
  current: InboxCountsResponse;
  /** Lowest counts of each of the last 30 days, ascending; days without a snapshot are missing. */
  history: InboxDayResponse[];
  /** Consecutive days with an empty inbox, up to today or yesterday. */
  @ApiProperty({ type: 'integer', example: 3 })
  streak: number;
  /** Longest streak so far, in days. */
  @ApiProperty({ type: 'integer', example: 12 })
  bestStreak: number;
}

export function toInboxCountsResponse({ inboxCount, unreadCount }: InboxCounts): InboxCountsResponse {
  return { inboxCount, unreadCount };
}

export function toInboxZeroResponse(overview: InboxOverview): InboxZeroResponse {
  return {
    current: toInboxCountsResponse(overview.current),
    history: overview.history.map(toInboxDayResponse),
    streak: overview.streak,
    bestStreak: overview.bestStreak,
  };
}

function toInboxDayResponse(day: InboxDay): InboxDayResponse {
  return { date: day.date, ...toInboxCountsResponse(day) };
}
