import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { IsPlainText } from '../../common/http/validation/plain-text';
import { IsHost, MAX_HOST } from './syntax/is-host';

/** Which folder of which server to import; as the job remembers it. */
export class ImportImapPayload {
  /** Host name or IP address.
   * @example imap.example.com */
  @ApiProperty({ minLength: 1, maxLength: MAX_HOST })
  @IsHost()
  host: string;

  @ApiPropertyOptional({ type: 'integer', default: 993, minimum: 1, maximum: 65_535, example: 993 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(65_535)
  port?: number | null;

  /**
   * TLS from the first byte, with the certificate verified. `false`: a connection that is not protected, or by
   * STARTTLS without verification where the server offers it.
   */
  @ApiPropertyOptional({ default: true })
  @IsOptional()
  @IsBoolean()
  secure?: boolean | null;

  /** @example alice@example.com */
  @ApiProperty({ minLength: 1, maxLength: 512 })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(512)
  @IsPlainText()
  user: string;

  /** As people write it, `/` between levels or what the server uses.
   * @example INBOX */
  @ApiPropertyOptional({ minLength: 1, maxLength: 512, default: 'INBOX', example: 'Archive/2024' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(512)
  @IsPlainText()
  folder?: string | null;

  /** Only the newest messages, so many; all when omitted.
   * @example 1000 */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  maxMessages?: number | null;
}

/** Where to import from, and how to log in there. */
export class ImportImapDto extends ImportImapPayload {
  /** Kept sealed until the job ends, and never shown.
   * @example correct-horse-battery-staple */
  @ApiProperty({ minLength: 1, maxLength: 1_024 })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(1_024)
  @Matches(/^[^\0\r\n]*$/, { message: '$property must not hold line breaks' })
  pass: string;
}
