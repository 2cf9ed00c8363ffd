import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsPlainText, MaxCharacters, MayBeAbsent } from '../../common/validation/field-rules';
import { PageQuery } from '../../common/validation/page.dto';
import type { UserRole } from '../../access/authenticated-user';
import { USER_ROLES } from './admin-users.response';

/** The longest address there is. */
const MAX_SEARCH = 320;

/** Which users to list. */
export class ListUsersQuery extends PageQuery {
  /** Part of the address or the name, whatever the case. Every character stands for itself. */
  @ApiPropertyOptional({ maxLength: MAX_SEARCH, example: 'ada@' })
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_SEARCH)
  @IsPlainText()
  search?: string;
}

const MAX_ACCOUNTS = 50;
/** A pebibyte: more than anybody keeps, and far inside what a JSON number holds exactly. */
const MAX_QUOTA_BYTES = 2 ** 50;

/** Any of the fields; none can be cleared. */
export class UpdateUserDto {
  @ApiPropertyOptional({ enum: USER_ROLES, enumName: 'UserRole', example: 'user' })
  @MayBeAbsent()
  @IsIn(USER_ROLES)
  role?: UserRole;

  /** False ends the user's sessions and stops their jobs at once; true brings everything back. */
  @ApiPropertyOptional({ example: true })
  @MayBeAbsent()
  @IsBoolean()
  is_active?: boolean;

  /** How many mailboxes may be connected at the same time. Fewer than there are disconnects none. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_ACCOUNTS, example: 5 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_ACCOUNTS)
  max_mailbox_accounts?: number;

  /** Most bytes the archive may hold. Less than there is removes nothing: more is refused. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_QUOTA_BYTES, example: 5368709120 })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA_BYTES)
  storage_quota_bytes?: number;
}
