import { ApiProperty } from '@nestjs/swagger';
import type { ThreadMail } from '../threads.service';
import type { ListedThread } from '../threads.repository';
import {
  AttachmentResponse,
  ListedMailResponse,
  toAttachmentResponse,
  toMailFields,
} from './archive.response';
import { MailEnvelopeResponse } from './mail-envelope.response';
import { NotIndexedResponse } from './not-indexed.response';
import { DATE_SOURCES, type DateSource } from '../writing/archive-dates';
import { RebuiltFromResponse } from './rebuilt-from.response';

/** A conversation with its most recent mail. */
export class ThreadResponse {
  /** @example "18c2f1a9b3d4e5f6" */
  thread_id: string;

  /** Archived mails of the thread. */
  @ApiProperty({ type: 'integer', example: 4 })
  message_count: number;

  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  latest_date: string;

  /** Each sender once, in the order they joined.
   * @example ["Alice Example <alice@example.com>"] */
  senders: string[];

  /** Bytes of all its mails. */
  @ApiProperty({ type: 'integer', example: 192004 })
  total_size: number;

  has_attachments: boolean;

  /** Id of the most recent mail, like the fields below. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** @example "Re: Annual report" */
  subject: string;

  /** @example "Alice Example <alice@example.com>" */
  sender: string;

  /** @example "Thank you, that clears it up." */
  snippet: string;

  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  date: string;

  /** Its arrival. Null while a mail that an earlier version archived has not been read again. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-02-29T12:34:58.000Z' })
  received_at: string | null;

  /** The source of its `date`: the Date header, the arrival, or the day of the import. Null when it is not known. */
  @ApiProperty({ type: String, enum: [...DATE_SOURCES, null], nullable: true, example: 'header' })
  date_source: DateSource | null;

  @ApiProperty({ format: 'date-time', example: '2024-03-01T08:00:00.000Z' })
  archived_at: string;
}

export class ThreadPageResponse {
  /** Threads with the latest mail first. */
  threads: ThreadResponse[];

  /** Exact number of threads with a mail that matches the filters. */
  @ApiProperty({ type: 'integer', example: 321 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;

  /** Mails of the archive that a search may miss. Null without `q`. */
  @ApiProperty({ type: NotIndexedResponse, nullable: true })
  not_indexed: NotIndexedResponse | null;
}

/** A mail within its thread. */
export class ThreadMailResponse extends ListedMailResponse {
  @ApiProperty({ type: String, nullable: true, example: '<1234@example.com>' })
  in_reply_to: string | null;

  @ApiProperty({ type: String, nullable: true, example: '<1233@example.com> <1234@example.com>' })
  references_header: string | null;

  attachments: AttachmentResponse[];

  /** The Outlook file that the mail was rebuilt from: its bytes are not those that were sent. Null for all other mail. */
  @ApiProperty({ type: RebuiltFromResponse, nullable: true })
  rebuilt_from: RebuiltFromResponse | null;

  /** The envelope of mail that was copied to Mailroom by SMTP: sender and recipients, blind copies among them. Null for all other
   * mail. */
  @ApiProperty({ type: MailEnvelopeResponse, nullable: true })
  envelope: MailEnvelopeResponse | null;
}

export function toThreadResponse(thread: ListedThread): ThreadResponse {
  return {
    thread_id: thread.thread_id,
    message_count: thread.message_count,
    latest_date: thread.latest_date,
    senders: thread.senders,
    total_size: thread.total_size,
    has_attachments: thread.has_attachments,
    id: thread.id,
    subject: thread.subject,
    sender: thread.sender,
    snippet: thread.snippet,
    date: thread.date,
    received_at: thread.received_at,
    date_source: thread.date_source,
    archived_at: thread.archived_at,
  };
}

export function toThreadMailResponse({ mail, presence, attachments }: ThreadMail): ThreadMailResponse {
  return {
    ...toMailFields(mail, presence),
    attachments: attachments.map(toAttachmentResponse),
  };
}
