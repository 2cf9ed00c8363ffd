import { ApiProperty } from '@nestjs/swagger';
import { filePathOf, StoredAttachmentResponse } from '../../mails/dto/archive.response';
import type { PageQuery } from '../../../platform/validation/page.dto';
import type { ArchivedAttachmentPage, ListedAttachment } from '../archived-attachments.repository';
import type { LargeAttachment } from '../live-attachments.service';

export class LiveAttachmentResponse {
  /** The provider's id of the message.
   * @example 1932c5e7d5b7c3a9 */
  messageId: string;

  /** The provider's id of the part: `messages/:messageId/attachments/:partId` of the mailbox downloads it.
   * @example "1" */
  partId: string;

  /** @example "report.pdf" */
  filename: string;

  /** @example "application/pdf" */
  mimeType: string;

  /** Size of the decoded content in bytes.
   * @example 302113 */
  @ApiProperty({ type: 'integer' })
  sizeBytes: number;

  /** Subject header, decoded.
   * @example "Annual report" */
  mailSubject: string;

  /** From header, decoded.
   * @example "Grace Hopper <grace@example.org>" */
  mailSender: string;

  /** When the provider received the message. */
  @ApiProperty({ format: 'date-time', example: '2025-11-21T08:13:52.000Z' })
  mailDate: string;

  /** Approximate size of the whole message in bytes.
   * @example 418804 */
  @ApiProperty({ type: 'integer' })
  mailSizeEstimate: number;
}

export class LiveAttachmentsResponse {
  /** Attached files above 100 KB, largest first. Images shown in the text are not listed. */
  attachments: LiveAttachmentResponse[];

  /** Sum of the sizes of these attachments in bytes.
   * @example 48211377 */
  @ApiProperty({ type: 'integer' })
  totalSizeBytes: number;
}

export function toLiveAttachmentsResponse(attachments: readonly LargeAttachment[]): LiveAttachmentsResponse {
  return {
    attachments: attachments.map(({ message, partId, filename, mimeType, sizeBytes }) => ({
      messageId: message.id,
      partId,
      filename,
      mimeType,
      sizeBytes,
      mailSubject: message.subject,
      mailSender: message.from,
      mailDate: message.internalDate.toISOString(),
      mailSizeEstimate: message.sizeEstimate,
    })),
    totalSizeBytes: attachments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

/** An attachment of an archived mail, with the mail's headers. */
export class ArchivedAttachmentResponse extends StoredAttachmentResponse {
  /** @example "Annual report" */
  mail_subject: string;

  /** @example "Alice Example <alice@example.com>" */
  mail_sender: string;

  /** When the provider received the mail. */
  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  mail_date: string;

  /** The mail provider's id of the mail; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that
   * id, or `sha256:<hex>`.
   * @example "18c2f1a9b3d4e5f6" */
  mailbox_message_id: string;

  /** The mail's id in the archive. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  archived_mail_id: string;
}

export class ArchivedAttachmentPageResponse {
  attachments: ArchivedAttachmentResponse[];

  /** Exact number of attachments that match. */
  @ApiProperty({ type: 'integer', example: 1234 })
  total: number;

  /** Sum of the sizes of all of them, not only of this page.
   * @example 48211377 */
  @ApiProperty({ type: 'integer' })
  totalSizeBytes: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

export function toArchivedAttachmentPageResponse(
  { attachments, total, totalSizeBytes }: ArchivedAttachmentPage,
  { page, limit }: PageQuery,
): ArchivedAttachmentPageResponse {
  return { attachments: attachments.map(toResponse), total, totalSizeBytes, page, limit };
}

function toResponse(attachment: ListedAttachment): ArchivedAttachmentResponse {
  return {
    id: attachment.id,
    filename: attachment.filename,
    mime_type: attachment.mimeType,
    size_bytes: attachment.sizeBytes,
    file_path: filePathOf(attachment, attachment),
    mail_subject: attachment.mailSubject,
    mail_sender: attachment.mailSender,
    mail_date: attachment.mailDate.toISOString(),
    mailbox_message_id: attachment.mailboxMessageId,
    archived_mail_id: attachment.mailId,
  };
}
