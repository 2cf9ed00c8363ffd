import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
} from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';
import {
  INDEX_CLASSES,
  INDEXED_KINDS,
  type IndexClass,
  type IndexedKind,
  RETRIED_CLASSES,
  type RetriedClass,
} from '../index-ledger/index-class';

/** Most ids of one request. */
const MAX_IDS = 1_000;

/** Mails or attachments of one class. */
export class IndexItemsQuery extends PageQuery {
  /** Whether mails or attachments are listed. */
  @ApiProperty({ enum: INDEXED_KINDS, example: 'attachment' })
  @IsIn(INDEXED_KINDS)
  kind: IndexedKind;

  /** The class that they are in. */
  @ApiProperty({ enum: INDEX_CLASSES, example: 'failed' })
  @IsIn(INDEX_CLASSES)
  class: IndexClass;

  /** The reason why they are not read as a whole, as the counts name it.
   * @example damaged */
  @IsOptional()
  @IsString()
  @MaxLength(16)
  reason?: string;
}

/** Mails and attachments to be read again. */
export class RetryIndexingDto {
  /** The class that they are in. */
  @ApiProperty({ enum: RETRIED_CLASSES, example: 'failed' })
  @IsIn(RETRIED_CLASSES)
  class: RetriedClass;

  /** Ids of mails and attachments of the class, 1–1,000; others are passed over. Without them all are read again. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_IDS)
  @IsUUID('all', { each: true })
  ids?: string[] | null;
}
