import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../mailbox/accounts/mailbox-account.response';
import { UserResponse } from '../../users/user.response';

/** The caller, their mailbox accounts and what their archive occupies. */
export class MeResponse {
  user: UserResponse;
  /** Disconnected accounts stay listed while their archives exist. */
  mailboxAccounts: MailboxAccountResponse[];
  /** Bytes of the archived mails.
   * @example 73400320 */
  @ApiProperty({ type: 'integer' })
  storageUsedBytes: number;
}
