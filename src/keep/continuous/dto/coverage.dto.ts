import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { IsPlainText } from '../../../platform/validation/field-rules';
import { MAX_PAGE_SIZE } from '../../../platform/validation/page.dto';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { COVERAGE_CLASSES, type CoverageClass } from '../ledger/coverage-figures';
import { MESSAGE_ID } from '../../../mailbox/messages/dto/messages.dto';

/** Which messages of the ledger to list. */
export class ListCoveredQuery {
  /** Only messages of this class. */
  @ApiPropertyOptional({ enum: COVERAGE_CLASSES, enumName: 'CoverageClass', example: 'failed' })
  @IsOptional()
  @IsIn(COVERAGE_CLASSES)
  class?: CoverageClass;

  /** Only messages that this exclusion keeps out: one of `excludedBy`.
   * @example "spam" */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  @IsPlainText()
  exclusion?: string;

  /** Only messages that failed for this reason: one of `failedBy`.
   * @example "copy-missing" */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  @IsPlainText()
  reason?: string;

  /** The `next` of the page before; without, the list begins.
   * @example "MTkzMmM1ZTdkNWI3YzNhOQ" */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @Matches(/^[\w-]+$/, { message: 'after must be the `next` of an answer' })
  after?: string;

  /** Messages per page; above 100 it is lowered to 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @QueryLimit(MAX_PAGE_SIZE)
  limit: number = 50;
}

/** Messages that one answer tells about. */
export const MAX_ASKED = 10_000;

/** The messages to tell about: either `messageIds` or `query`. */
export class AskDeletableDto {
  /** Ids of the mail provider, 1–10,000; repeated ids count once.
   * @example ["18c2f1a9b3d4e5f6"] */
  @ApiPropertyOptional({ minItems: 1, maxItems: MAX_ASKED })
  @ValidateIf(({ messageIds, query }: AskDeletableDto) => messageIds != null || query == null)
  @IsArray()
  @ArrayMinSize(1)
  // More than `MAX_ASKED` are refused by their own code.
  @ArrayMaxSize(50_000)
  @Matches(MESSAGE_ID, { each: true, message: 'each value in messageIds must be a message id' })
  messageIds?: string[] | null;

  /** A query in the provider's own language; the mailbox is asked which messages it finds, at most 10,000.
   * @example "older_than:2y larger:5M" */
  @ApiPropertyOptional({ minLength: 1, maxLength: 2_000 })
  @ValidateIf(({ messageIds, query }: AskDeletableDto) => query != null || messageIds == null)
  @IsString()
  @IsNotEmpty()
  @MaxLength(2_000)
  @Matches(/\S/, { message: 'query must not be blank' })
  @IsPlainText()
  query?: string | null;
}
