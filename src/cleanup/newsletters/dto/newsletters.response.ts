import { ApiProperty } from '@nestjs/swagger';
import { formatSender } from '../../../mailbox/index/message-columns';
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

  /** Number of messages with a List-Unsubscribe header. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;

  /** Size of the messages in bytes. */
  @ApiProperty({ type: 'integer', example: 1843200 })
  totalSizeBytes: number;

  /** Unsubscribe address of the newest message, http(s) only. The sender chose it: this service neither checks nor calls it. */
  @ApiProperty({ type: String, nullable: true, example: 'https://shop.example/unsubscribe?u=1a2b' })
  unsubscribeUrl: string | null;

  /** Unsubscribe address by mail of the newest message: one recipient, and a subject and a body if the sender gives them. */
  @ApiProperty({ type: String, nullable: true, example: 'mailto:leave@shop.example?subject=unsubscribe' })
  unsubscribeMailto: string | null;

  /**
   * Whether a POST of `List-Unsubscribe=One-Click` to `unsubscribeUrl` is enough to unsubscribe (RFC 8058).
   * @example true
   */
  oneClick: boolean;

  /** Time when the newest message arrived. */
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  lastDate: string;
}

/** The newsletters of one address. */
export class NewsletterMessagesResponse {
  /**
   * Ids of the messages, newest first.
   * @example ["1932c5e7d5b7c3a9"]
   */
  messageIds: string[];

  /** Number of messages. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;

  /** Number of starred messages. */
  @ApiProperty({ type: 'integer', example: 1 })
  starredCount: number;

  /** Number of messages that are marked important. */
  @ApiProperty({ type: 'integer', example: 0 })
  importantCount: number;

  /** Number of messages that are neither starred nor marked important. */
  @ApiProperty({ type: 'integer', example: 41 })
  unmarkedCount: number;
}

/** A deletion that has been started. */
export class NewsletterDeletionResponse {
  /** Follow it at `/api/jobs/{jobId}`; null when there is nothing to delete. */
  @ApiProperty({ type: String, nullable: true, example: 'bulk_operation-42' })
  jobId: string | null;

  /** Number of messages to trash or delete. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;

  /** Number of starred messages; they are deleted like the others. */
  @ApiProperty({ type: 'integer', example: 1 })
  starredCount: number;

  /** Number of messages that are marked important; they are deleted like the others. */
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
    sender: formatSender({ name, email }),
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
