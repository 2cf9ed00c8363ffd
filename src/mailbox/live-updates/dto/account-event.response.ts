import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../accounts/dto/mailbox-accounts.response';

/** A mailbox account as it is now. */
export class AccountEventResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** null when the account is no more. */
  account: MailboxAccountResponse | null;
}
