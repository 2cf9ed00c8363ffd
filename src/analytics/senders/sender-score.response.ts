import { ApiProperty } from '@nestjs/swagger';
import type { ScoredSender } from './scored-sender';

export class SenderScoreResponse {
  /** Newest display name and address. */
  @ApiProperty({ example: 'Shop News <news@shop.example>' })
  sender: string;
  /** Mails from this sender. */
  @ApiProperty({ type: 'integer', example: 64 })
  emailCount: number;
  /** Bytes of all of them. */
  @ApiProperty({ type: 'integer', example: 7340032 })
  totalSizeBytes: number;
  /** Unread ones among them. */
  @ApiProperty({ type: 'integer', example: 60 })
  unreadCount: number;
  /** Whether there is a List-Unsubscribe header, or mail in the promotions category.
   * @example true */
  hasUnsubscribe: boolean;
  /** Share of mails that have been read, 0 to 1. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: 0.0625 })
  readRate: number;
  /** 0 to 100, 100 = most cluttered. */
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
