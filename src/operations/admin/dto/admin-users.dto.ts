import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { IsPlainText, MaxCharacters, MayBeAbsent, Trimmed } from '../../../platform/validation/field-rules';
import { PageQuery } from '../../../platform/validation/page.dto';
import type { UserRole } from '../../../platform/access/authenticated-user';
import { EmailAddress } from '../../../identity/users/user-fields';
import { USER_ROLES } from './admin-users.response';

/** Length of the longest e-mail address. */
const MAX_SEARCH = 320;

/** Filter of the user list. */
export class ListUsersQuery extends PageQuery {
  /** Part of the e-mail address or the name, case-insensitive. Every character stands for itself. */
  @ApiPropertyOptional({ maxLength: MAX_SEARCH, example: 'ada@' })
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_SEARCH)
  @IsPlainText()
  search?: string;
}

/** A user to add; they choose their password themselves. */
export class InviteUserDto {
  /** Compared without regard to case.
   * @example grace@example.org */
  @EmailAddress()
  email: string;

  /** Name shown to people.
   * @example "Grace Hopper" */
  @IsOptional()
  @Trimmed()
  @IsPlainText()
  @Length(1, 200)
  @MaxCharacters(200)
  @IsString()
  name?: string | null;

  @ApiProperty({ enum: USER_ROLES, enumName: 'UserRole', example: 'user' })
  @IsIn(USER_ROLES)
  role: UserRole;
}

const MAX_ACCOUNTS = 50;
/** Largest quota, a pebibyte in bytes: more than any archive needs, and a JSON number holds it exactly. */
const MAX_QUOTA_BYTES = 2 ** 50;

/** The fields to change; none can be cleared. */
export class UpdateUserDto {
  @ApiPropertyOptional({ enum: USER_ROLES, enumName: 'UserRole', example: 'user' })
  @MayBeAbsent()
  @IsIn(USER_ROLES)
  role?: UserRole;

  /** `false` ends the user's sessions and stops their jobs at once; `true` lets them sign in again. */
  @ApiPropertyOptional({ example: true })
  @MayBeAbsent()
  @IsBoolean()
  is_active?: boolean;

  /** Maximum of connected mailboxes. A value below the present number disconnects none. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_ACCOUNTS, example: 5 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_ACCOUNTS)
  max_mailbox_accounts?: number;

  /** Maximum bytes of archived mail. A value below the present size deletes nothing, but refuses more. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_QUOTA_BYTES, example: 5368709120 })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA_BYTES)
  storage_quota_bytes?: number;
}
