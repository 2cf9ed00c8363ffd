import { ApiProperty } from '@nestjs/swagger';
import type { UserEntity } from '../user.entity';

/** A user, as shown to themselves. */
export class UserResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Lower-case.
   * @example ada@example.org */
  @ApiProperty({ format: 'email' })
  email: string;
  /** Name shown to people.
   * @example "Ada Lovelace" */
  name: string | null;
  /** @example user */
  role: 'admin' | 'user';
  /** Inactive users cannot sign in. */
  is_active: boolean;
  /** The most mailboxes that may be connected at the same time.
   * @example 5 */
  @ApiProperty({ type: 'integer' })
  max_mailbox_accounts: number;
  /** Most bytes the archive may hold.
   * @example 5368709120 */
  @ApiProperty({ type: 'integer', format: 'int64' })
  storage_quota_bytes: number;
  /** Whether signing in asks for a one-time code. */
  totp_enabled: boolean;
  /** Whether the user can sign in with a password: those who came through an identity provider have none. */
  has_password: boolean;
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:30:00.000Z' })
  created_at: string;
}

export function toUserResponse(user: UserEntity): UserResponse {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    is_active: user.isActive,
    max_mailbox_accounts: user.maxMailboxAccounts,
    storage_quota_bytes: user.storageQuotaBytes,
    totp_enabled: user.totpEnabled,
    has_password: user.passwordHash !== null,
    created_at: user.createdAt.toISOString(),
  };
}
