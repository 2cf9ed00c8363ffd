import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../mailbox/dto/mailbox-accounts.response';
import { UserResponse } from '../../users/dto/user.response';

/** Sign-in through the installation's OpenID provider. */
export class OidcConfigResponse {
  /** Text of the button.
   * @example "Single sign-on" */
  name: string;
  /** Open it in the browser; `?return_to=/path` names the page to return to.
   * @example https://mail.example.org/api/auth/oidc/login */
  @ApiProperty({ format: 'uri' })
  login_url: string;
}

/** The sign-in options of the installation. */
export class AuthConfigResponse {
  /** Whether new users may register. */
  allowRegistration: boolean;
  /** Mail providers whose mailboxes can be connected.
   * @example ["gmail"] */
  providers: string[];
  /** null when no OpenID provider is configured. */
  oidc: OidcConfigResponse | null;
}

/** The caller, their mailbox accounts and their storage usage. */
export class MeResponse {
  user: UserResponse;
  /** Disconnected accounts stay listed while their archives exist. */
  mailboxAccounts: MailboxAccountResponse[];
  /** Bytes of the archived mails.
   * @example 73400320 */
  @ApiProperty({ type: 'integer' })
  storageUsedBytes: number;
}
