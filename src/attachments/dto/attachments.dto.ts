import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../../common/validation/page.dto';
import { QueryLimit } from '../../common/validation/query-transforms';

const MAX_SCANNED = 500;

export class LiveAttachmentsQuery {
  /** How many messages above 100 KB with attachments to look at, newest first; above 500 it is lowered to 500. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_SCANNED, default: 200, example: 200 })
  @QueryLimit(MAX_SCANNED)
  maxResults: number = 200;
}

export const ATTACHMENT_SORTS = ['size', 'date'] as const;
export type AttachmentSort = (typeof ATTACHMENT_SORTS)[number];

export const SORT_ORDERS = ['desc', 'asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export class ArchivedAttachmentsQuery extends PageQuery {
  /** By the size of the decoded content, or by the date of the mail. */
  @ApiPropertyOptional({
    enum: ATTACHMENT_SORTS,
    default: 'size',
    example: 'date',
  })
  @IsOptional()
  @IsIn(ATTACHMENT_SORTS)
  sort: AttachmentSort = 'size';

  /** Largest or newest first, or the other way round. */
  @ApiPropertyOptional({ enum: SORT_ORDERS, default: 'desc', example: 'desc' })
  @IsOptional()
  @IsIn(SORT_ORDERS)
  order: SortOrder = 'desc';

  /** Searches the file name and the subject and sender of the mail. Accents and case do not matter; every word has to
   * be part of one of them. */
  @ApiPropertyOptional({ example: 'invoice 2024' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  q?: string;
}
