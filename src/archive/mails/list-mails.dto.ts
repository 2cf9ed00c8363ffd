import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../../common/http/paging/page.dto';
import { QueryBoolean } from '../../common/http/validation/query-transforms';

/** Filters of mail and thread lists; all of them must match. */
export class ListMailsQuery extends PageQuery {
  /** Full-text search in subject, sender, recipients, attachment names and text. Accents and case do not matter, all
   * words are required, `"phrases"` and `-word` are understood, the last word may be the beginning of one. */
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
