import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { IsPlainText, MaxCharacters } from '../../../platform/validation/field-rules';
import { ImapServerDto } from './imap-server.dto';

/** The folder to import and its server, as the job's payload has them. */
export class ImportImapPayload extends ImapServerDto {
  /** Name of the folder, with `/` or the server's own separator between levels.
   * @example INBOX */
  @ApiPropertyOptional({ minLength: 1, maxLength: 512, default: 'INBOX', example: 'Archive/2024' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(512)
  @IsPlainText()
  folder?: string | null;

  /** Import only this many of the newest messages; all when omitted.
   * @example 1000 */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  maxMessages?: number | null;
}

/** The folder to import, and the login to its server. */
export class ImportImapDto extends ImportImapPayload {
  /** Password of the user. It is kept encrypted until the job ends, and never shown.
   * @example correct-horse-battery-staple */
  @ApiProperty({ minLength: 1, maxLength: 1_024 })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(1_024)
  @Matches(/^[^\0\r\n]*$/, { message: '$property must not hold line breaks' })
  pass: string;
}
