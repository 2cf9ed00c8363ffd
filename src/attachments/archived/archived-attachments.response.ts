import { ApiProperty } from '@nestjs/swagger';
import { filePathOf, StoredAttachmentResponse } from '../../archive/mails/mail.response';
import type { PageQuery } from '../../common/http/paging/page.dto';
import type { ArchivedAttachmentPage, ListedAttachment } from './archived-attachments.repository';

/** An attachment of an archived mail, with what the mail is. */
export class ArchivedAttachmentResponse extends StoredAttachmentResponse {
  /** @example "Annual report" */
  mail_subject: string;

  /** @example "Alice Example <alice@example.com>" */
  mail_sender: string;

  /** When the provider received the mail. */
  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  mail_date: string;

  /** The mail provider's id of the mail; of an imported mail its Message-ID or `sha256:<hex>`.
   * @example "18c2f1a9b3d4e5f6" */
  mailbox_message_id: string;

  /** The mail's id in the archive. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  archived_mail_id: string;
}

export class ArchivedAttachmentPageResponse {
  attachments: ArchivedAttachmentResponse[];

  /** Attachments the search matches, exactly. */
  @ApiProperty({ type: 'integer', example: 1234 })
  total: number;

  /** Sizes of all of them added up, not only of this page.
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
