import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../../mailbox/accounts/dto/mailbox-accounts.response';
import type { UserRole } from '../../../platform/access/authenticated-user';
import { AdminJobSummaryResponse } from './admin.response';
import type { ListedUser } from '../admin-users.repository';

export const USER_ROLES = ['admin', 'user'] as const;

/** A user as administrators see them. */
export class AdminUserResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** Lower-case.
   * @example ada@example.org */
  email: string;

  /** Display name.
   * @example "Ada Lovelace" */
  name: string | null;

  @ApiProperty({ enum: USER_ROLES, enumName: 'UserRole', example: 'user' })
  role: UserRole;

  /** Inactive users cannot sign in, and no job runs for them. */
  is_active: boolean;

  /**
   * Whether `ADMIN_EMAIL` names the user's address, which others could have registered: the user waits for an administrator,
   * who grants or refuses the role by setting `role`.
   */
  @ApiProperty({ example: false })
  awaits_admin_role: boolean;

  /** Maximum of connected mailboxes. */
  @ApiProperty({ type: 'integer', example: 5 })
  max_mailbox_accounts: number;

  /** Maximum bytes of archived mail. */
  @ApiProperty({ type: 'integer', example: 5368709120 })
  storage_quota_bytes: number;

  /** Mailboxes that count towards the maximum: all except disconnected ones. */
  @ApiProperty({ type: 'integer', example: 2 })
  mailbox_accounts_count: number;

  /** Bytes of archived mail, including that of disconnected mailboxes. */
  @ApiProperty({ type: 'integer', example: 734003200 })
  storage_used_bytes: number;

  /** Time of the last sign-in; null before the first one. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:30:00.000Z' })
  last_login_at: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T12:00:00.000Z' })
  created_at: string;
}

/** A user who is invited, with the way in. */
export class InvitedUserResponse {
  user: AdminUserResponse;

  /** Give it only to the user: the first person to open it chooses the password. It is shown only once.
   * @example https://mail.example.org/invite#q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
  inviteUrl: string;

  /** Time at which the link ends, seven days from now. */
  @ApiProperty({ format: 'date-time', example: '2026-03-08T08:00:00.000Z' })
  expires_at: string;
}

/** A link with which a user chooses another password. */
export class PasswordResetLinkResponse {
  /** Give it only to the user: the first person to open it chooses the password. It is shown only once.
   * @example https://mail.example.org/reset-password#q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
  resetUrl: string;

  /** Time at which the link ends, a day from now. */
  @ApiProperty({ format: 'date-time', example: '2026-03-02T08:00:00.000Z' })
  expires_at: string;
}

/** One page of the users. */
export class AdminUsersResponse {
  users: AdminUserResponse[];

  /** Matching users on all pages. */
  @ApiProperty({ type: 'integer', example: 128 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The page size used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

/** A user with their mailboxes and last jobs. */
export class AdminUserDetailResponse {
  user: AdminUserResponse;

  /** Mailboxes, oldest first, including disconnected ones. */
  mailboxAccounts: MailboxAccountResponse[];

  /** The last 20 jobs, newest first, without input and result, which may name messages. */
  recentJobs: AdminJobSummaryResponse[];
}

export function toAdminUserResponse(user: ListedUser): AdminUserResponse {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    is_active: user.is_active,
    awaits_admin_role: user.awaits_admin_role,
    max_mailbox_accounts: user.max_mailbox_accounts,
    storage_quota_bytes: Number(user.storage_quota_bytes),
    mailbox_accounts_count: user.mailbox_accounts_count,
    storage_used_bytes: Number(user.storage_used_bytes),
    last_login_at: user.last_login_at?.toISOString() ?? null,
    created_at: user.created_at.toISOString(),
  };
}
