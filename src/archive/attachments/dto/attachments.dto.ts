import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { SORT_ORDERS, type SortOrder } from '../../../platform/validation/sort-order';

const MAX_SCANNED = 500;

export class LiveAttachmentsQuery {
  /** Read attachments of at most this many messages above 100 KB, newest first; higher values count as 500. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_SCANNED, default: 200, example: 200 })
  @QueryLimit(MAX_SCANNED)
  maxResults: number = 200;
}

export const ATTACHMENT_SORTS = ['size', 'date'] as const;
export type AttachmentSort = (typeof ATTACHMENT_SORTS)[number];

export class ArchivedAttachmentsQuery extends PageQuery {
  /** Sort by the size of the decoded content, or by the date of the mail. */
  @ApiPropertyOptional({
    enum: ATTACHMENT_SORTS,
    default: 'size',
    example: 'date',
  })
  @IsOptional()
  @IsIn(ATTACHMENT_SORTS)
  sort: AttachmentSort = 'size';

  /** `DESC` lists the largest or newest first, `ASC` the smallest or oldest. */
  @ApiPropertyOptional({ enum: SORT_ORDERS, default: 'desc', example: 'desc' })
  @IsOptional()
  @IsIn(SORT_ORDERS)
  order: SortOrder = 'desc';

  /** Search file names and the mail's subject and sender. Accents and case do not matter; every word must be part of
   * one of them. */
  @ApiPropertyOptional({ example: 'invoice 2024' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  q?: string;
}
