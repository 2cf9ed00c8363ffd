import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../platform/validation/page.dto';
import { LISTED_TYPES, type PiiType } from '../detection/pii-match';

/** Filter of the listed findings. */
export class ListFindingsQuery extends PageQuery {
  /** Only findings of this type. */
  @ApiPropertyOptional({ enum: LISTED_TYPES, example: 'iban' })
  @IsOptional()
  @IsIn(LISTED_TYPES)
  piiType?: PiiType;
}
