import { IsInt, IsOptional, Max, Min } from 'class-validator';

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
