import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min, ValidateBy } from 'class-validator';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { IsPlainText, MaxCharacters } from '../../common/validation/field-rules';

/** RFC 1035, section 2.3.4, as text. */
export const MAX_HOST = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * A host as it is resolved and compared with certificates: lower case, international names in their ASCII form (RFC
 * 5891), IPv6 addresses without brackets; null for what is neither name nor address.
 */
export function normalizedHost(text: string): string | null {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (isIP(bare)) return bare.toLowerCase();
  if (text.length > MAX_HOST || /[^\p{L}\p{M}\p{N}._-]/u.test(text)) return null;
  const name = domainToASCII(text).replace(/\.$/, '');
  return name.length <= MAX_HOST && name.split('.').every((label) => LABEL.test(label)) ? name : null;
}

/** A host name or an IP address, without port, path or user. */
export const IsHost = (): PropertyDecorator =>
  ValidateBy({
    name: 'isHost',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && normalizedHost(value) !== null,
      defaultMessage: () => '$property must be a host name or an IP address',
    },
  });

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
   * TLS from the first byte, with a verified certificate. `false`: no protection, or STARTTLS without verification
   * where the server offers it.
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
