import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';

export class SuggestionsQuery {
  /** The beginning of a word of a name, of an address, or of a label's name. */
  @ApiProperty({ minLength: 1, example: 'ad' })
  @IsString()
  @MaxLength(100)
  @Matches(/[\p{L}\p{N}]/u, { message: 'text must have a letter or a digit' })
  text: string;

  /** Mailbox account that alone is looked into; it must be the caller's.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;
}
