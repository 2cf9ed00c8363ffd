import { ApiProperty } from '@nestjs/swagger';
import { shownStatus } from '../mailbox-account.entity';
import type { MailboxAccountEntity } from '../mailbox-account.entity';

/** A mailbox the user has connected. */
export class MailboxAccountResponse {
  /** The `accountId` of other routes.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Address of the mailbox, lower-case. The name that its owner chose, if `provider` is `archive`.
   * @example ada@gmail.com */
  email: string;
  /** `gmail`, `imap`, or `archive`: an archive without a mailbox, whose status is always `disconnected`.
   * @example gmail */
  provider: string;
  /** False when the account is switched off or disconnected: live routes answer 409, the archive stays readable. */
  is_active: boolean;
  /** `needs_reauth`: the mailbox must be connected again. `rate_limited`: the provider allows no calls for now.
   * @example connected */
  status: 'connected' | 'needs_reauth' | 'rate_limited' | 'disconnected';
  /** When the message index was last brought up to date. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-11-21T09:30:00.000Z' })
  last_synced_at: string | null;
  @ApiProperty({ format: 'date-time', example: '2025-11-21T09:30:00.000Z' })
  created_at: string;
}

export function toMailboxAccountResponse(account: MailboxAccountEntity, now: Date): MailboxAccountResponse {
  return {
    id: account.id,
    email: account.email,
    provider: account.provider,
    is_active: account.isActive,
    status: shownStatus(account, now),
    last_synced_at: account.lastSyncedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  };
}

/** An account just switched on or off. */
export class ToggledAccountResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Whether live routes and jobs may use the mailbox now. */
  is_active: boolean;
}
