import { ApiProperty } from '@nestjs/swagger';
import {
  type ArchivedAttachmentEntity,
  type ArchivedMailEntity,
  MAIL_PRESENCES,
  type MailPresence,
} from '../archived-mail.entity';
import type { ReadMail } from '../archived-mails.service';
import type { ListedMail } from '../mail-lists.repository';
import { MailEnvelopeResponse, toMailEnvelopeResponse } from './mail-envelope.response';
import { NotIndexedResponse } from './not-indexed.response';
import { RebuiltFromResponse, toRebuiltFromResponse } from './rebuilt-from.response';
import { DATE_SOURCES, type DateSource } from '../writing/archive-dates';

/** An archived mail in a list. */
export class ListedMailResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** The mail provider's id; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that id, or
   * `sha256:<hex>`. It never equals an id of the provider.
   * @example "18c2f1a9b3d4e5f6" */
  mailbox_message_id: string;

  /** @example "Annual report" */
  subject: string;

  /** @example "Alice Example <alice@example.com>" */
  sender: string;

  /** The Date header, unless it is missing, unreadable, before 1970-01-02 or more than a day after the arrival: then the arrival.
   * Lists, months, search and exports use this date. */
  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  date: string;

  /** The arrival: when the provider received the mail; of imported mail what the last hop or the mbox file says, else the day of the
   * import. Retention counts from the later of `date` and `received_at`. Null while a mail that an earlier version archived has not
   * been read again. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-02-29T12:34:58.000Z' })
  received_at: string | null;

  /** The source of `date`: the Date header, the arrival, or the day of the import. Null when it is not known: mail that an earlier
   * version archived has not been read again, or was imported and is encrypted. */
  @ApiProperty({ type: String, enum: [...DATE_SOURCES, null], nullable: true, example: 'header' })
  date_source: DateSource | null;

  /** Size of the EML. */
  @ApiProperty({ type: 'integer', example: 48213 })
  size_bytes: number;

  has_attachments: boolean;

  /** @example ["INBOX"] */
  label_ids: string[];

  @ApiProperty({ format: 'date-time', example: '2024-03-01T08:00:00.000Z' })
  archived_at: string;

  /** @example "18c2f1a9b3d4e5f6" */
  thread_id: string;

  /** @example "Bob Example <bob@example.com>" */
  recipient: string;

  /** @example "Dear Bob, attached you find …" */
  snippet: string;

  is_encrypted: boolean;

  /** Place of the mail's message: in the mailbox, in its trash, or deleted there. Null when it is not known: for imported mail,
   * and for mailboxes whose mail is not archived continuously. */
  @ApiProperty({ type: String, enum: [...MAIL_PRESENCES, null], nullable: true, example: 'mailbox' })
  presence: MailPresence | null;

  /** Whether its message was deleted in the mailbox: `presence` is `gone`. */
  only_in_archive: boolean;
}

export class MailPageResponse {
  /** Mails, newest first or as sorted. */
  mails: ListedMailResponse[];

  /** Exact number of mails that match the filters. */
  @ApiProperty({ type: 'integer', example: 1234 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;

  /** For further pages of the same list: the `archived_until` of the request, or when the archive's latest mail was archived;
   * null when it has none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-03-01T08:00:00.000Z' })
  archived_until: string | null;

  /** Mails of the archive that a search may miss. Null without `q`. */
  @ApiProperty({ type: NotIndexedResponse, nullable: true })
  not_indexed: NotIndexedResponse | null;
}

/** An attachment of an archived mail. */
export class AttachmentResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  id: string;

  /** @example "report.pdf" */
  filename: string;

  /** @example "application/pdf" */
  mime_type: string;

  /** Size of the decoded content. */
  @ApiProperty({ type: 'integer', example: 30211 })
  size_bytes: number;
}

export class StoredAttachmentResponse extends AttachmentResponse {
  /** Location of the attachment: key of the EML in its store, part and name. There is no second copy.
   * @example "<userId>/<accountId>/2024/02/<mailId>.eml#2/report.pdf" */
  file_path: string;
}

/** An archived mail with all details. */
export class MailResponse extends ListedMailResponse {
  /** The In-Reply-To header. */
  @ApiProperty({ type: String, nullable: true, example: '<1234@example.com>' })
  in_reply_to: string | null;

  /** The References header. */
  @ApiProperty({ type: String, nullable: true, example: '<1233@example.com> <1234@example.com>' })
  references_header: string | null;

  /** SHA-256 of the stored bytes, hex.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  sha256: string;

  /** Parts of the message that could not be parsed; the raw message is complete nevertheless.
   * @example [] */
  defects: string[];

  /** The raw message as text (UTF-8 if valid, else Latin-1); null when encrypted or larger than 25 MiB. */
  @ApiProperty({ type: String, nullable: true })
  emlContent: string | null;

  attachments: StoredAttachmentResponse[];

  /** The Outlook file that the mail was rebuilt from: its bytes are not those that were sent. Null for all other mail. */
  @ApiProperty({ type: RebuiltFromResponse, nullable: true })
  rebuilt_from: RebuiltFromResponse | null;

  /** The envelope of mail that was copied to Mailroom by SMTP: sender and recipients, blind copies among them. Null for all other
   * mail. */
  @ApiProperty({ type: MailEnvelopeResponse, nullable: true })
  envelope: MailEnvelopeResponse | null;
}

const toPresenceFields = (
  presence: MailPresence | null,
): Pick<ListedMailResponse, 'presence' | 'only_in_archive'> => ({
  presence,
  only_in_archive: presence === 'gone',
});

export function toListedMailResponse(mail: ListedMail): ListedMailResponse {
  return {
    id: mail.id,
    mailbox_message_id: mail.mailbox_message_id,
    subject: mail.subject,
    sender: mail.sender,
    date: mail.date,
    received_at: mail.received_at,
    date_source: mail.date_source,
    size_bytes: mail.size_bytes,
    has_attachments: mail.has_attachments,
    label_ids: mail.label_ids,
    archived_at: mail.archived_at,
    thread_id: mail.thread_id,
    recipient: mail.recipient,
    snippet: mail.snippet,
    is_encrypted: mail.is_encrypted,
    ...toPresenceFields(mail.presence),
  };
}

export function toAttachmentResponse(attachment: ArchivedAttachmentEntity): AttachmentResponse {
  return {
    id: attachment.id,
    filename: attachment.filename,
    mime_type: attachment.mimeType,
    size_bytes: attachment.sizeBytes,
  };
}

/** The path of an attachment: `<key>#<partId>/<filename>`. */
export const filePathOf = (
  mail: Pick<ArchivedMailEntity, 'storageKey'>,
  attachment: Pick<ArchivedAttachmentEntity, 'partId' | 'filename'>,
): string => `${mail.storageKey}#${attachment.partId}/${attachment.filename}`;

/** The fields that a mail has both by itself and in its thread. */
export function toMailFields(
  mail: ArchivedMailEntity,
  presence: MailPresence | null,
): Omit<MailResponse, 'sha256' | 'defects' | 'emlContent' | 'attachments'> {
  return {
    id: mail.id,
    mailbox_message_id: mail.mailboxMessageId,
    thread_id: mail.threadId,
    subject: mail.subject,
    sender: mail.sender,
    recipient: mail.recipient,
    date: mail.date.toISOString(),
    received_at: mail.receivedAt?.toISOString() ?? null,
    date_source: mail.dateSource,
    archived_at: mail.archivedAt.toISOString(),
    size_bytes: mail.sizeBytes,
    has_attachments: mail.hasAttachments,
    label_ids: mail.labelIds,
    snippet: mail.snippet,
    in_reply_to: mail.inReplyTo,
    references_header: mail.referencesHeader,
    is_encrypted: mail.isEncrypted,
    envelope: mail.envelope ? toMailEnvelopeResponse(mail.envelope) : null,
    rebuilt_from: mail.rebuiltFrom ? toRebuiltFromResponse(mail.rebuiltFrom) : null,
    ...toPresenceFields(presence),
  };
}

export function toMailResponse({ mail, presence, attachments, emlContent }: ReadMail): MailResponse {
  return {
    ...toMailFields(mail, presence),
    sha256: mail.sha256,
    defects: mail.defects,
    emlContent,
    attachments: attachments.map((attachment) => ({
      ...toAttachmentResponse(attachment),
      file_path: filePathOf(mail, attachment),
    })),
  };
}

/** A job that has been started. */
export class ArchiveJobResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example archive_mails-42 */
  jobId: string;
}

/** A deletion that has been started. */
export class DeleteMailsJobResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example delete_archived_mails-42 */
  jobId: string;
}
