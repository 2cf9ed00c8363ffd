import { ApiProperty } from '@nestjs/swagger';
import type { InboxCounts, InboxDay } from './inbox-days.repository';
import type { InboxOverview } from './inbox-zero.service';

export class InboxCountsResponse {
  /** Messages in the inbox. */
  @ApiProperty({ type: 'integer', example: 42 })
  inboxCount: number;
  /** Unread ones among them. */
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
  /** Now, at most 15 minutes old. */
  current: InboxCountsResponse;
  /** The emptiest the inbox was seen on each of the last 30 days, ascending; days nobody looked are missing. */
  history: InboxDayResponse[];
  /** Days in a row, up to today or yesterday, on which the inbox was empty. */
  @ApiProperty({ type: 'integer', example: 3 })
  streak: number;
  /** The longest such run ever. */
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
