import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../mailbox/dto/mailbox-accounts.response';
import { UserResponse } from '../../users/dto/user.response';

/** Sign-in through the installation's OpenID provider. */
export class OidcConfigResponse {
  /** Text of the button.
   * @example "Single sign-on" */
  name: string;
  /** To be opened in the browser; `?return_to=/path` says where to go on afterwards.
   * @example https://mail.example.org/api/auth/oidc/login */
  @ApiProperty({ format: 'uri' })
  login_url: string;
}

/** What a client needs to know before anybody has signed in. */
export class AuthConfigResponse {
  /** Whether new users may register. */
  allowRegistration: boolean;
  /** Mail providers whose mailboxes can be connected.
   * @example ["gmail"] */
  providers: string[];
  /** null when there is no such sign-in. */
  oidc: OidcConfigResponse | null;
}

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
