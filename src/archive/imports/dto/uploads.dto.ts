import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { IsPlainText, MaxCharacters } from '../../../platform/validation/field-rules';
import { MAX_FILENAME } from '../upload-receiver';

/** A file to upload in chunks. */
export class CreateUploadDto {
  /** The name that people see.
   * @example "Takeout/All mail.mbox" */
  @ApiProperty({ minLength: 1, maxLength: MAX_FILENAME })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(MAX_FILENAME)
  @IsPlainText()
  filename: string;

  /** Bytes of the whole file: an mbox file of any dialect, plain or compressed with gzip.
   * @example 5368709120 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  size: number;
}
