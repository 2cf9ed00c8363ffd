import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { IsPlainText, MaxCharacters } from '../../../platform/validation/field-rules';
import { MAX_FILENAME } from '../upload-receiver';

/** A file to upload in chunks. */
export class CreateUploadDto {
  /** Name of the file as people see it.
   * @example "Takeout/All mail.mbox" */
  @ApiProperty({ minLength: 1, maxLength: MAX_FILENAME })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(MAX_FILENAME)
  @IsPlainText()
  filename: string;

  /** Size of the whole file in bytes. The files that are taken are those of the import in one request.
   * @example 5368709120 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  size: number;
}
