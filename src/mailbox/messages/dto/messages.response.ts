import { ApiProperty } from '@nestjs/swagger';
import type {
  MailboxProfile,
  MessageMetadata,
  MessagePage,
} from '../../../providers/port/mailbox-provider.port';

export class ProfileResponse {
  /** Address of the mailbox.
   * @example ada@example.org */
  emailAddress: string;
  /** Messages in the mailbox.
   * @example 48211 */
  @ApiProperty({ type: 'integer' })
  messagesTotal: number;
  /** Threads in the mailbox.
   * @example 30190 */
  @ApiProperty({ type: 'integer' })
  threadsTotal: number;
  /** The provider's current position in the change history; opaque.
   * @example 9143027 */
  historyId: string;
}

export class MessageRefResponse {
  /** The provider's id of the message.
   * @example 1932c5e7d5b7c3a9 */
  id: string;
  /** The provider's id of its thread.
   * @example 1932c5e7d5b7c3a9 */
  threadId: string;
}

export class MessagePageResponse {
  /** Ids of messages, newest first. */
  messages: MessageRefResponse[];
  /** Token of the next page; null on the last one. */
  @ApiProperty({ type: String, nullable: true, example: '07534206617283946102' })
  nextPageToken: string | null;
  /** The provider's estimate of how many messages match.
   * @example 201 */
  @ApiProperty({ type: 'integer' })
  resultSizeEstimate: number;
}

export class MessageSummaryResponse {
  /** The provider's id of the message.
   * @example 1932c5e7d5b7c3a9 */
  id: string;
  /** Subject header, decoded.
   * @example "Your invoice for November" */
  subject: string;
  /** From header, decoded.
   * @example "Grace Hopper" <grace@example.org> */
  from: string;
  /** Date header as sent.
   * @example "Fri, 21 Nov 2025 09:13:51 +0100" */
  date: string;
  /** Approximate size of the whole message in bytes.
   * @example 48213 */
  @ApiProperty({ type: 'integer' })
  sizeEstimate: number;
  /** The beginning of the text.
   * @example "Dear Ada, please find attached" */
  snippet: string;
  /** Ids of the message's labels.
   * @example ["INBOX", "UNREAD"] */
  labelIds: string[];
  /** Whether the message has an attachment other than images shown inside its text.
   * @example true */
  hasAttachments: boolean;
}

export class MessageResponse extends MessageSummaryResponse {
  /** The provider's id of its thread.
   * @example 1932c5e7d5b7c3a9 */
  threadId: string;
  /** To header, decoded.
   * @example ada@example.org */
  to: string;
}

export function toProfileResponse(profile: MailboxProfile): ProfileResponse {
  const { emailAddress, messagesTotal, threadsTotal, historyId } = profile;
  return { emailAddress, messagesTotal, threadsTotal, historyId };
}

export function toMessagePageResponse(page: MessagePage): MessagePageResponse {
  return {
    messages: page.messages.map(({ id, threadId }) => ({ id, threadId })),
    nextPageToken: page.nextPageToken ?? null,
    resultSizeEstimate: page.resultSizeEstimate,
  };
}

export function toMessageSummaryResponse(message: MessageMetadata): MessageSummaryResponse {
  const { id, subject, from, date, sizeEstimate, snippet, labelIds, hasAttachments } = message;
  return {
    id,
    subject,
    from,
    date,
    sizeEstimate,
    snippet: snippet ?? '',
    labelIds: [...labelIds],
    hasAttachments,
  };
}

export function toMessageResponse(message: MessageMetadata): MessageResponse {
  const { threadId, to } = message;
  return { ...toMessageSummaryResponse(message), threadId, to };
}
