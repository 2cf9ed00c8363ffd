import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { IsPlainText, Trimmed } from '../../../platform/validation/field-rules';
import { QueryBoolean } from '../../../platform/validation/query-transforms';

export class ListLabelsQuery {
  /**
   * False leaves the message counts null and saves a provider call per label.
   * @example true
   */
  @ApiPropertyOptional({ default: true })
  @QueryBoolean()
  counts: boolean = true;
}

export class CreateLabelDto {
  /**
   * Name of the label; `/` nests it below another.
   * @example Receipts/2025
   */
  @ApiProperty({ minLength: 1 })
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(225)
  name: string;
}
