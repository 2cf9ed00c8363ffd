import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsHost, MAX_HOST } from '../../../platform/validation/host-name';
import { IsPlainText, MaxCharacters } from '../../../platform/validation/field-rules';

/** An IMAP server and the name of its user. */
export class ImapServerDto {
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
   * Whether to use TLS from the first byte, with a verified certificate. `false`: no protection, or STARTTLS without verification
   * where the server offers it; password and mail may be read on the way.
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
}
