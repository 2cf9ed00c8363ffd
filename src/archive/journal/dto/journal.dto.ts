import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { JOURNAL_FORMATS, type JournalFormat } from '../journal-format';

export class TurnOnJournalDto {
  /** The format in which the mail server sends copies. `copies`: each message is stored whole. `exchange-reports`: the server is Exchange
   * or sends journal reports as Exchange does, and the message in each report is stored. Without it an address expects what it expected
   * before, a new one copies. */
  @ApiPropertyOptional({ enum: JOURNAL_FORMATS, enumName: 'JournalFormat', example: 'copies' })
  @IsOptional()
  @IsIn(JOURNAL_FORMATS)
  format?: JournalFormat;
}

/** The replacement of an address. */
export class ReplaceJournalAddressDto {
  /** Hours for which mail to the old address is taken as well, so that none is lost until the mail server knows the new one. 0:
   * none, for an address that others have learned.
   * @example 24 */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(168)
  graceHours?: number = 24;
}
