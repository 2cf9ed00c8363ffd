import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import {
  IsEmailAddress,
  IsPlainText,
  MaxCharacters,
  MayBeAbsent,
} from '../../../platform/validation/field-rules';
import { IsHost, MAX_HOST } from '../../../platform/validation/host-name';
import {
  IMAP_FOLDER_ROLES,
  IMAP_SECURITIES,
  type ImapFolderRoles,
  type ImapSecurity,
} from '../../../providers/imap/login/imap-account.entity';

/** Longest path of a folder, in characters. */
const MAX_PATH = 1_000;

/** Whether the value maps paths of folders to roles, each role for at most one folder. */
function areRoles(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const roles = Object.values(value);
  const known: readonly unknown[] = IMAP_FOLDER_ROLES;
  const pathsFit = Object.keys(value).every(
    (path) => path !== '' && path.length <= MAX_PATH && !/[\p{Cc}\p{Cs}]/u.test(path),
  );
  return pathsFit && roles.every((role) => known.includes(role)) && new Set(roles).size === roles.length;
}

const AreRoles = (): PropertyDecorator =>
  ValidateBy({
    name: 'areRoles',
    validator: {
      validate: areRoles,
      defaultMessage: () =>
        `$property must name folders by their paths, each with one of ${IMAP_FOLDER_ROLES.join(', ')}, and each role once`,
    },
  });

/** Server and login of a mailbox. */
export class ImapConnectionDto {
  /**
   * Host name or IP address of the server. Default: that of the address's provider, or of the account.
   * @example imap.example.com
   */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_HOST })
  @IsOptional()
  @IsHost()
  host?: string | null;

  /** Default: 993 for `tls`, 143 for `starttls`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 65_535, example: 993 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(65_535)
  port?: number | null;

  /** `tls` from the first byte, or `starttls`. There is no connection without protection. */
  @ApiPropertyOptional({ enum: IMAP_SECURITIES, default: 'tls' })
  @IsOptional()
  @IsIn(IMAP_SECURITIES)
  security?: ImapSecurity | null;

  /**
   * User name of the login. Default: the address, or the form of it that the provider expects.
   * @example ada@example.com
   */
  @ApiPropertyOptional({ minLength: 1, maxLength: 320 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(320)
  @IsPlainText()
  username?: string | null;

  /**
   * SHA-256 of the only certificate that is accepted, 64 hex digits, even if it is self-signed. Compare it with the one
   * that the operator of the server names. Default: any certificate that verifies.
   */
  @ApiPropertyOptional({
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: '$property must be 64 hex digits in lower case' })
  certificateSha256?: string | null;
}

/** A mailbox to connect. */
export class ConnectImapDto extends ImapConnectionDto {
  /** Address of the mailbox.
   * @example ada@example.com */
  @ApiProperty({ format: 'email', maxLength: 320 })
  @IsEmailAddress()
  email: string;

  /** Password of the mailbox, or one that the provider has made for this service. It is stored encrypted and never shown.
   * @example correct-horse-battery-staple */
  @ApiProperty({ minLength: 1, maxLength: 1_024 })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(1_024)
  @Matches(/^[^\0\r\n]*$/, { message: '$property must not hold line breaks' })
  password: string;

  /** An account of the caller to connect again; its address is `email`.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  accountId?: string | null;

  /** Roles of folders, by their paths, where the server declares none or wrong ones. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...IMAP_FOLDER_ROLES] },
    example: { 'Old mail': 'archive' },
  })
  @IsOptional()
  @AreRoles()
  roles?: ImapFolderRoles | null;
}

/** An address whose servers are looked for. */
export class DiscoverImapDto {
  /** Address of the mailbox.
   * @example ada@example.com */
  @ApiProperty({ format: 'email', maxLength: 320 })
  @IsEmailAddress()
  email: string;
}

/** Fields to change. Host, port, protection, user name and certificate can only be changed together with the password. */
export class UpdateImapDto extends ImapConnectionDto {
  /** Password of the mailbox. It is stored encrypted and never shown.
   * @example correct-horse-battery-staple */
  @ApiPropertyOptional({ minLength: 1, maxLength: 1_024 })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(1_024)
  @Matches(/^[^\0\r\n]*$/, { message: '$property must not hold line breaks' })
  password?: string;

  /** Roles of folders, by their paths, which replace those given before. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...IMAP_FOLDER_ROLES] },
    example: { 'Old mail': 'archive' },
  })
  @MayBeAbsent()
  @AreRoles()
  roles?: ImapFolderRoles;
}
