import { ApiProperty } from '@nestjs/swagger';
import type { MailboxProfile } from '../../../providers/port/mailbox-provider.port';
import type { Coverage } from '../../../mailbox/index/message-index-reader';
import type { ArchiveStats } from '../../../archive/mails/archive-totals';
import type { MailboxStats } from '../mailbox-stats';

export class SenderCountResponse {
  /** Name and address, grouped by address; the name is the newest one.
   * @example "Grace Hopper <grace@example.org>" */
  sender: string;

  /**
   * Number of messages in the sample.
   * @example 42
   */
  @ApiProperty({ type: 'integer' })
  count: number;

  /**
   * Size of the messages in bytes.
   * @example 1804211
   */
  @ApiProperty({ type: 'integer' })
  sizeBytes: number;
}

export class BigMailResponse {
  /** The provider's id of the message.
   * @example 1932c5e7d5b7c3a9 */
  id: string;

  /** Subject header, decoded.
   * @example "Photos of the weekend" */
  subject: string;

  /** Approximate size of the whole message in bytes.
   * @example 18804211 */
  @ApiProperty({ type: 'integer' })
  sizeEstimate: number;

  /** From header, decoded.
   * @example "Grace Hopper <grace@example.org>" */
  from: string;

  /** Time when the provider received the message. */
  @ApiProperty({ format: 'date-time', example: '2025-11-21T08:13:52.000Z' })
  date: string;
}

export class LabelCountResponse {
  /** Name of a user label, id of a system label.
   * @example INBOX */
  label: string;

  /**
   * Number of messages in the sample that carry the label.
   * @example 310
   */
  @ApiProperty({ type: 'integer' })
  count: number;
}

export class MonthCountResponse {
  /**
   * Month as YYYY-MM.
   * @example 2025-11
   */
  month: string;

  /**
   * Number of messages of the sample received in the month.
   * @example 64
   */
  @ApiProperty({ type: 'integer' })
  count: number;
}

export class DashboardProfileResponse {
  /** Address of the mailbox.
   * @example ada@example.org */
  emailAddress: string;

  /**
   * Number of messages in the whole mailbox.
   * @example 48211
   */
  @ApiProperty({ type: 'integer' })
  messagesTotal: number;
}

export class StatsCoverageResponse {
  /**
   * Number of indexed messages, without spam and trash.
   * @example 12400
   */
  @ApiProperty({ type: 'integer' })
  indexed: number;

  /**
   * Number of messages in the whole mailbox: `indexed` once `complete`, until then the provider's count.
   * @example 48211
   */
  @ApiProperty({ type: 'integer' })
  total: number;

  /**
   * Whether the whole mailbox is indexed; otherwise the rest is being indexed.
   * @example false
   */
  complete: boolean;
}

/** Statistics of the newest 500 messages or of all indexed ones, without spam and trash. */
export class MailboxStatsResponse {
  /**
   * Number of messages in the sample, which the figures are from.
   * @example 500
   */
  @ApiProperty({ type: 'integer' })
  totalMessages: number;

  /**
   * Number of unread messages.
   * @example 61
   */
  @ApiProperty({ type: 'integer' })
  unreadCount: number;

  /**
   * Size of the messages in bytes.
   * @example 48211377
   */
  @ApiProperty({ type: 'integer' })
  totalSizeBytes: number;

  /** Senders of the most messages, without the account itself. */
  bySender: SenderCountResponse[];

  /** The largest messages, largest first. */
  biggestMails: BigMailResponse[];

  /** All labels in the sample, the most frequent first. */
  byLabel: LabelCountResponse[];

  /** All months from the oldest to the newest message of the sample, ascending. */
  timeline: MonthCountResponse[];

  profile: DashboardProfileResponse;

  /** Part of the mailbox that the figures cover; only with `scope=all`. */
  coverage?: StatsCoverageResponse;
}

export class ArchivedSenderResponse {
  /** Name and address, grouped by address.
   * @example "Grace Hopper <grace@example.org>" */
  sender: string;

  /**
   * Number of archived mails, as a numeric string.
   * @example "1204"
   */
  count: string;

  /**
   * Size of the mails in bytes, as a numeric string.
   * @example "88104221"
   */
  total_size: string;
}

/** Statistics of an account's archive. */
export class ArchiveStatsResponse {
  /**
   * Number of archived mails.
   * @example 48211
   */
  @ApiProperty({ type: 'integer' })
  total_mails: number;

  /**
   * Size of the mails in bytes.
   * @example 2104882113
   */
  @ApiProperty({ type: 'integer' })
  total_size: number;

  /** Time when a mail was last archived; null while the archive is empty. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-11-21T08:13:52.000Z' })
  last_archived_at: string | null;

  /** The 20 senders with the most mails, without the account itself. */
  bySender: ArchivedSenderResponse[];
}

export function toMailboxStatsResponse(
  stats: MailboxStats,
  profile: MailboxProfile,
  coverage: Coverage | null,
): MailboxStatsResponse {
  const { totalMessages, unreadCount, totalSizeBytes } = stats;
  return {
    totalMessages,
    unreadCount,
    totalSizeBytes,
    bySender: stats.bySender.map(({ sender, count, sizeBytes }) => ({ sender, count, sizeBytes })),
    biggestMails: stats.biggestMails.map(({ id, subject, sizeEstimate, from, internalDate }) => ({
      id,
      subject,
      sizeEstimate,
      from,
      date: internalDate.toISOString(),
    })),
    byLabel: stats.byLabel.map(({ label, count }) => ({ label, count })),
    timeline: stats.timeline.map(({ month, count }) => ({ month, count })),
    profile: { emailAddress: profile.emailAddress, messagesTotal: profile.messagesTotal },
    ...(coverage && { coverage: toStatsCoverageResponse(totalMessages, profile, coverage) }),
  };
}

function toStatsCoverageResponse(
  indexed: number,
  { messagesTotal }: MailboxProfile,
  { complete }: Coverage,
): StatsCoverageResponse {
  // The provider counts spam and trash too, and may not yet count messages that have just arrived.
  return { indexed, total: complete ? indexed : Math.max(indexed, messagesTotal), complete };
}

export function toArchiveStatsResponse({ totals, senders }: ArchiveStats): ArchiveStatsResponse {
  return {
    total_mails: totals.mails,
    total_size: totals.bytes,
    last_archived_at: totals.lastArchivedAt,
    bySender: senders.map(({ sender, senderMails, senderBytes }) => ({
      sender,
      count: senderMails,
      total_size: senderBytes,
    })),
  };
}
