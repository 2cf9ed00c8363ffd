import { ApiProperty } from '@nestjs/swagger';
import type { LargeAttachment } from './large-attachments';

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
  /** Files above 100 KB, largest first; images shown inside the text are no files. */
  attachments: LiveAttachmentResponse[];

  /** Their sizes added up.
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
