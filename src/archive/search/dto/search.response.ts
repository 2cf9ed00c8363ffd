import { ApiProperty } from '@nestjs/swagger';
import { PLACE_KINDS, type PlaceKind } from '../../../platform/documents/document-text';
import { MAIL_PRESENCES, type MailPresence } from '../../mails/archived-mail.entity';
import {
  NotIndexedInArchivesResponse,
  toNotIndexedInArchivesResponse,
} from '../../mails/dto/not-indexed.response';
import type { Excerpt } from '../excerpts/excerpt';
import { MATCH_FIELDS, type MatchField } from '../excerpts/sought-terms';
import { FOUND_PLACES, type FoundMessage, type FoundPlace, messageIdOf } from '../found-message';
import type { SearchAnswer } from '../search.service';

export class HighlightResponse {
  /** Offset of the first character, in UTF-16 units. */
  @ApiProperty({ type: 'integer', example: 4 })
  start: number;

  /** Offset after the last character. */
  @ApiProperty({ type: 'integer', example: 11 })
  end: number;
}

/** The place of a text in the files of a message. */
export class FilePlaceResponse {
  /** @example contract.pdf */
  filename: string;

  /** Path of the file in an archive or message that is attached; null: it is attached itself. */
  @ApiProperty({ type: String, nullable: true, example: null })
  member: string | null;

  /** The kind of place; null: the text has no pages. */
  @ApiProperty({ enum: PLACE_KINDS, nullable: true, example: 'page' })
  kind: PlaceKind | null;

  /** Number of the page or slide, or name of the sheet; null: the text has no pages. */
  @ApiProperty({ type: String, nullable: true, example: '3' })
  name: string | null;
}

export class ExcerptResponse {
  /** Where the words are. */
  @ApiProperty({ enum: MATCH_FIELDS, example: 'text' })
  field: MatchField;

  /** A part of the text; `…` at an end means that it goes on.
   * @example "…the invoice for the copper pipes is attached…" */
  text: string;

  /** The places that match, in their order. */
  highlights: HighlightResponse[];

  /** The place of text in a file, for the field `file`; else null. */
  @ApiProperty({ type: FilePlaceResponse, nullable: true })
  file: FilePlaceResponse | null;
}

/** A message that matches. */
export class SearchResultResponse {
  /** The mailbox that it is in, or whose archive it is in. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  account_id: string;

  /** Whether the message is in the live mailbox, in the archive, or in both. The trash belongs to the mailbox. */
  @ApiProperty({ enum: FOUND_PLACES, example: 'both' })
  place: FoundPlace;

  /** The provider's id of the message.
   * @example 1932c5e7d5b7c3a9 */
  message_id: string;

  /** The archived mail; null when the message is not archived. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  mail_id: string | null;

  /** The provider's id of its thread.
   * @example 1932c5e7d5b7c3a9 */
  thread_id: string;

  /** @example Invoice for the copper pipes */
  subject: string;

  /** The From header field.
   * @example Paul Plumber <paul@plumber.example> */
  sender: string;

  /** The To header field.
   * @example ada@example.org */
  recipient: string;

  /** The date by which it is ordered. */
  @ApiProperty({ format: 'date-time', example: '2024-03-01T08:00:00.000Z' })
  date: string;

  @ApiProperty({ type: 'integer', example: 48213 })
  size_bytes: number;

  has_attachments: boolean;

  /** Ids of its labels. */
  label_ids: string[];

  /** Whether the archived mail is encrypted; its text is not searched. */
  is_encrypted: boolean;

  /** Where the message of an archived mail is now; null when it is not known, or not archived. */
  @ApiProperty({ enum: MAIL_PRESENCES, nullable: true, example: 'mailbox' })
  presence: MailPresence | null;

  /** The beginning of the text. */
  snippet: string;

  /** Parts of the message that match, at most one of each field. */
  excerpts: ExcerptResponse[];
}

/** A live mailbox that was not searched. */
export class NotSearchedResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  account_id: string;

  /** Code of the problem.
   * @example reauth-required */
  code: string;

  /** The problem in a sentence.
   * @example The mailbox must be connected again. */
  detail: string;
}

export class LiveSearchResponse {
  /** Whether every mailbox was searched. */
  complete: boolean;

  /** Mailboxes that could not be searched, and why. Their archives were searched. */
  not_searched: NotSearchedResponse[];
}

export class SearchResponse {
  /** Messages, each once: newest first, or best first. */
  results: SearchResultResponse[];

  /** Messages that match. */
  @ApiProperty({ type: 'integer', example: 1234 })
  total: number;

  /** Whether `total` is exact: false when a mailbox was not searched, or has more than 1,000 messages that match. */
  total_is_exact: boolean;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;

  /** Whether live mailboxes were searched; `complete` for a search of archives only. */
  live_search: LiveSearchResponse;

  /** Mails of the archives that the search may miss. Null when no archive was searched. */
  @ApiProperty({ type: NotIndexedInArchivesResponse, nullable: true })
  not_indexed: NotIndexedInArchivesResponse | null;
}

export function toSearchResponse(
  { messages, excerpts, snippets, total, isTotalExact, notSearched, gaps }: SearchAnswer,
  { page, limit }: { readonly page: number; readonly limit: number },
): SearchResponse {
  return {
    results: messages.map((message, at) =>
      toSearchResultResponse(message, excerpts[at] ?? new Map(), snippets.get(messageIdOf(message)) ?? ''),
    ),
    total,
    total_is_exact: isTotalExact,
    page,
    limit,
    not_indexed: gaps && toNotIndexedInArchivesResponse(gaps),
    live_search: {
      complete: notSearched.length === 0,
      not_searched: notSearched.map(({ accountId, error }) => ({
        account_id: accountId,
        code: error.code,
        detail: error.detail,
      })),
    },
  };
}

function toSearchResultResponse(
  found: FoundMessage,
  excerpts: ReadonlyMap<MatchField, Excerpt>,
  liveSnippet: string,
): SearchResultResponse {
  const { accountId, place, date, mail, live } = found;
  return {
    account_id: accountId,
    place,
    message_id: messageIdOf(found),
    mail_id: mail?.id ?? null,
    thread_id: mail?.thread_id ?? live!.threadId,
    subject: mail?.subject ?? live!.subject,
    sender: mail?.sender ?? live!.from,
    recipient: mail?.recipient ?? live!.to,
    date,
    size_bytes: mail?.size_bytes ?? live!.sizeEstimate,
    has_attachments: mail?.has_attachments ?? live!.hasAttachments,
    label_ids: [...(mail?.label_ids ?? live!.labelIds)],
    is_encrypted: mail?.is_encrypted ?? false,
    presence: mail?.presence ?? null,
    snippet: mail?.snippet ?? liveSnippet,
    excerpts: [...excerpts].map(([field, { text, highlights, file }]) => ({
      field,
      text,
      highlights: highlights.map(({ start, end }) => ({ start, end })),
      file: file ?? null,
    })),
  };
}
