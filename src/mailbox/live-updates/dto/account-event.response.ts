import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../accounts/dto/mailbox-accounts.response';

/** The present state of a mailbox account. */
export class AccountEventResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** The account; null when it no longer exists. */
  account: MailboxAccountResponse | null;
}
