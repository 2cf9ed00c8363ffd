import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayUnique, IsArray, IsIn, IsString, MaxLength, ValidateIf } from 'class-validator';
import { IsPlainText } from '../../../platform/validation/field-rules';
import { LEAVES_OUT } from '../selection-finder';
import type { LeavesOut } from '../selection-finder';

export class CreateSelectionDto {
  /**
   * Query in the provider's own search language; empty: everything but spam and trash.
   * @example "from:newsletter@example.org older_than:1y"
   */
  @IsString()
  @MaxLength(2_000)
  @IsPlainText()
  query: string;

  /** Marks of messages that are not selected; default: none. */
  @ApiPropertyOptional({
    enum: LEAVES_OUT,
    enumName: 'LeavesOut',
    isArray: true,
    example: ['starred', 'important'],
  })
  // `IsOptional` would accept null.
  @ValidateIf((body: CreateSelectionDto) => body.leaveOut !== undefined)
  @IsArray()
  @ArrayUnique()
  @IsIn(LEAVES_OUT, { each: true })
  leaveOut?: LeavesOut[];
}
