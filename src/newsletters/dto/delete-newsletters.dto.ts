import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';

export class DeleteNewslettersDto {
  /** `false` moves the messages to the trash, from where they can be taken back for 30 days; `true` deletes them for
   * good. */
  @ApiPropertyOptional({ default: false, example: false })
  // Not `IsOptional`, which would let null pass: whoever sends something must say which of the two it is.
  @ValidateIf((body: DeleteNewslettersDto) => body.permanent !== undefined)
  @IsBoolean()
  permanent: boolean = false;
}
