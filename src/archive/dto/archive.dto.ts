import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { PageQuery } from '../../common/validation/page.dto';
import { QueryBoolean } from '../../common/validation/query-transforms';
import { MESSAGE_ID } from '../../mailbox/dto/messages.dto';

/** Filters of mail and thread lists; all must match. */
export class ListMailsQuery extends PageQuery {
  /** Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
   * are required; `"phrases"` and `-word` are supported; the last word may be the beginning of a word. */
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

  /** ISO 8601, inclusive; a date without time begins with its day in UTC. */
  @ApiPropertyOptional({ example: '2024-01-01' })
  @IsOptional()
  @IsString()
  from_date?: string;

  /** ISO 8601, inclusive; a date without time ends with its day in UTC. */
  @ApiPropertyOptional({ example: '2024-12-31' })
  @IsOptional()
  @IsString()
  to_date?: string;

  /** Only mails with (true) or without (false) attachments. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @QueryBoolean()
  has_attachments?: boolean;
}

export const MAX_MESSAGE_IDS = 50_000;
export const MAX_QUERY_LENGTH = 2_000;

/** The messages to archive: exactly one of `messageIds` and `query`. */
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

  /** Skip messages archived before. If false, they are fetched again and replaced where they differ.
   * @example true */
  @IsOptional()
  @IsBoolean()
  differential?: boolean = true;
}
