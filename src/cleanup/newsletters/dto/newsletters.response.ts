import { ApiProperty } from '@nestjs/swagger';
import { displaySender } from '../../../mailbox/index/message-columns';
import type { NewsletterTotals } from '../../../mailbox/index/indexed-messages';
import { parseListUnsubscribe } from '../list-unsubscribe';
import type { NewsletterDeletion, NewsletterMessages } from '../newsletters.service';

/** The newsletters of one sender, not counting spam and trash. */
export class NewsletterResponse {
  /** Newest display name and address.
   * @example "Shop News <news@shop.example>" */
  sender: string;

  /** The address, in lower case; names the newsletter in the other routes.
   * @example news@shop.example */
  email: string;

  /** Messages with a List-Unsubscribe header. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;

  /** Their size. */
  @ApiProperty({ type: 'integer', example: 1843200 })
  totalSizeBytes: number;

  /** Unsubscribe address of the newest message, http(s) only. It comes from the sender: this service neither checks nor
   * calls it. */
  @ApiProperty({ type: String, nullable: true, example: 'https://shop.example/unsubscribe?u=1a2b' })
  unsubscribeUrl: string | null;

  /** Likewise by mail: one recipient, and a subject and a body if the sender wants them. */
  @ApiProperty({ type: String, nullable: true, example: 'mailto:leave@shop.example?subject=unsubscribe' })
  unsubscribeMailto: string | null;

  /** Whether a POST of `List-Unsubscribe=One-Click` to `unsubscribeUrl` is all it takes (RFC 8058).
   * @example true */
  oneClick: boolean;

  /** When the newest of them arrived. */
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  lastDate: string;
}

/** The newsletters of one address. */
export class NewsletterMessagesResponse {
  /** Newest first.
   * @example ["1932c5e7d5b7c3a9"] */
  messageIds: string[];

  /** Number of messages. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;

  /** Starred messages among them. */
  @ApiProperty({ type: 'integer', example: 1 })
  starredCount: number;

  /** Messages among them that are marked important. */
  @ApiProperty({ type: 'integer', example: 0 })
  importantCount: number;

  /** Messages among them that are neither starred nor marked important. */
  @ApiProperty({ type: 'integer', example: 41 })
  unmarkedCount: number;
}

/** A deletion that has been started. */
export class NewsletterDeletionResponse {
  /** Follow it at `/api/jobs/{jobId}`; null when there is nothing to delete. */
  @ApiProperty({ type: String, nullable: true, example: 'bulk_operation-42' })
  jobId: string | null;

  /** Messages to trash or delete. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;

  /** Starred messages among them; they are deleted like the others. */
  @ApiProperty({ type: 'integer', example: 1 })
  starredCount: number;

  /** Messages among them that are marked important; they are deleted like the others. */
  @ApiProperty({ type: 'integer', example: 0 })
  importantCount: number;
}

/** A scan that has been started. */
export class NewsletterScanResponse {
  /** Follow it at `/api/jobs/{jobId}`.
   * @example scan_unsubscribe-42 */
  jobId: string;

  /** Text for people.
   * @example "Newsletter scan started" */
  message: string;
}

export function toNewsletterResponse(newsletter: NewsletterTotals): NewsletterResponse {
  const { email, name, count, bytes, newest, listUnsubscribe, listUnsubscribePost } = newsletter;
  return {
    sender: displaySender({ name, email }),
    email,
    count,
    totalSizeBytes: bytes,
    ...parseListUnsubscribe(listUnsubscribe, listUnsubscribePost),
    lastDate: newest.toISOString(),
  };
}

export function toNewsletterMessagesResponse(messages: NewsletterMessages): NewsletterMessagesResponse {
  const { messageIds, starredCount, importantCount, unmarkedCount } = messages;
  return {
    messageIds: [...messageIds],
    count: messageIds.length,
    starredCount,
    importantCount,
    unmarkedCount,
  };
}

export function toNewsletterDeletionResponse(deletion: NewsletterDeletion): NewsletterDeletionResponse {
  const { jobId, count, starredCount, importantCount } = deletion;
  return { jobId, count, starredCount, importantCount };
}
