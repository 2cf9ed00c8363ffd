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
import { MESSAGE_ID } from '../../mailbox/messages/message-ids';

export const MAX_MESSAGE_IDS = 50_000;
export const MAX_QUERY_LENGTH = 2_000;

/** What to archive: exactly one of `messageIds` and `query`. */
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

  /** Skip messages that are archived already. When false they are fetched again and replaced where they differ.
   * @example true */
  @IsOptional()
  @IsBoolean()
  differential?: boolean = true;
}
