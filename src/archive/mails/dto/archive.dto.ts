import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';
import { QueryBoolean, QuerySize } from '../../../platform/validation/query-transforms';
import { SORT_ORDERS, type SortOrder } from '../../../platform/validation/sort-order';
import { MESSAGE_ID } from '../../../mailbox/messages/dto/messages.dto';
import { ConfirmedCount, SelectionId } from '../../../mailbox/selections/dto/confirmed-selection';

/** Filters of archived mails; all must match. */
export class MailFilters {
  /** Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
   * are required, in any order; `"phrases"`, `-word`, `word*` (words that begin so) and `*letters` (words that end in at least six
   * letters) are supported; the last word may be the beginning of a word. Numbers are found with and without spaces. Terms
   * such as `from:ada`, `-subject:"annual report"`, `has:attachment`, `older_than:1y` and `larger:5M` are combined by blanks (and),
   * `OR`, `-`, `( )` and `{ }` (any of them), as in the search of a mailbox. A term that cannot be searched for is refused with
   * `search-term-unsupported`. */
  @ApiPropertyOptional({ example: 'invoice "annual report" -draft' })
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  q?: string;

  /** Part of the sender's name or address, in any case. */
  @ApiPropertyOptional({ example: 'alice@example.com' })
  @IsOptional()
  @IsString()
  @MaxLength(998)
  sender?: string;

  /** Part of the To line, in any case. */
  @ApiPropertyOptional({ example: 'bob@example.com' })
  @IsOptional()
  @IsString()
  @MaxLength(998)
  recipient?: string;

  /** A label as mails have it: the mailbox's id, or the name that imported mail came with. */
  @ApiPropertyOptional({ example: 'INBOX' })
  @IsOptional()
  @IsString()
  @MaxLength(998)
  label?: string;

  /** First `date` of the mails, ISO 8601, inclusive; a date without time begins with its day in UTC. */
  @ApiPropertyOptional({ example: '2024-01-01' })
  @IsOptional()
  @IsString()
  from_date?: string;

  /** Last `date` of the mails, ISO 8601, inclusive; a date without time ends with its day in UTC. */
  @ApiPropertyOptional({ example: '2024-12-31' })
  @IsOptional()
  @IsString()
  to_date?: string;

  /** Only mails with (true) or without (false) attachments. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @QueryBoolean()
  has_attachments?: boolean;

  /** In bytes, inclusive. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, example: 1_000_000 })
  @QuerySize()
  min_size?: number;

  /** In bytes, inclusive. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, example: 25_000_000 })
  @QuerySize()
  max_size?: number;

  /** Only mails that are (true) or are not (false) encrypted. */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @QueryBoolean()
  encrypted?: boolean;

  /** Only mails whose messages were (true) or were not (false) found to be deleted in the mailbox. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @QueryBoolean()
  only_in_archive?: boolean;

  /** ISO 8601, inclusive: only mails archived until then. With the `archived_until` of the first page, further pages do
   * not move when more mail is archived. */
  @ApiPropertyOptional({ example: '2024-03-01T08:00:00.000Z' })
  @IsOptional()
  @IsString()
  archived_until?: string;
}

export const MAIL_SORTS = ['date', 'size', 'sender', 'subject'] as const;
export type MailSort = (typeof MAIL_SORTS)[number];

export class ListThreadsQuery extends IntersectionType(PageQuery, MailFilters) {}

export class ListMailsQuery extends ListThreadsQuery {
  /** Senders and subjects are compared in any case, subjects by their first 60 characters; equal mails by date. */
  @ApiPropertyOptional({ enum: MAIL_SORTS, default: 'date', example: 'date' })
  @IsOptional()
  @IsIn(MAIL_SORTS)
  sort: MailSort = 'date';

  /** `asc` is the same list from its end. */
  @ApiPropertyOptional({ enum: SORT_ORDERS, default: 'desc', example: 'desc' })
  @IsOptional()
  @IsIn(SORT_ORDERS)
  order: SortOrder = 'desc';
}

export const MAX_MESSAGE_IDS = 50_000;
export const MAX_QUERY_LENGTH = 2_000;

/** The messages to archive: exactly one of `messageIds`, `query` and `selectionId`. */
export class ArchiveMailsDto {
  /** Ids of the mail provider, 1–50,000; repeated ids count once.
   * @example ["18c2f1a9b3d4e5f6"] */
  @ApiPropertyOptional({ minItems: 1, maxItems: MAX_MESSAGE_IDS })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MESSAGE_IDS)
  @Matches(MESSAGE_ID, { each: true, message: 'messageIds must be ids of the mail provider' })
  messageIds?: string[] | null;

  /** Native query of the mail provider; every message it matches is archived.
   * @example "older_than:1y has:attachment" */
  @ApiPropertyOptional({ minLength: 1 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_QUERY_LENGTH)
  @Matches(/\S/, { message: 'query must not be blank' })
  @Matches(/^[^\p{Cc}\p{Surrogate}]*$/u, { message: 'query must be text without control characters' })
  query?: string | null;

  @SelectionId()
  selectionId?: string | null;

  @ConfirmedCount()
  confirmedCount?: number | null;

  /** Skip messages archived before. If false, they are fetched again and replaced where they differ.
   * @example true */
  @IsOptional()
  @IsBoolean()
  differential?: boolean = true;
}
