import { ApiProperty } from '@nestjs/swagger';
import { MailboxAccountResponse } from '../../../mailbox/accounts/dto/mailbox-accounts.response';
import { shownStatus } from '../../../mailbox/accounts/mailbox-account.entity';
import { UserResponse } from '../../../identity/users/dto/user.response';
import { DisplayPreferencesResponse } from './preferences.response';
import type { Profile, ProfileAccount } from '../profile.repository';

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
  /** Sign-in through the OpenID provider; null when none is configured. */
  oidc: OidcConfigResponse | null;
  /** Whether browsers can sign in with passkeys at this address. */
  passkeys: boolean;
  /** True while there is no user: the first one to register becomes the administrator. */
  setupRequired: boolean;
  /** The address this installation expects to be opened at; at another one, changes are refused with `foreign-origin`.
   * @example https://mail.example.org */
  @ApiProperty({ format: 'uri' })
  appUrl: string;
  /**
   * Version of the service.
   * @example 0.1.0
   */
  version: string;
  /** Whether the mailboxes that can be connected are sample mailboxes, to try the service with. */
  sandbox: boolean;
  /** Bytes of the largest file that can be uploaded.
   * @example 53687091200 */
  @ApiProperty({ type: 'integer' })
  maxUploadBytes: number;
}

/** The caller, their mailbox accounts and their storage usage. */
export class MeResponse {
  user: UserResponse;
  /** Disconnected accounts stay listed while their archives exist. */
  mailboxAccounts: MailboxAccountResponse[];
  preferences: DisplayPreferencesResponse;
  /** Bytes of the archived mails.
   * @example 73400320 */
  @ApiProperty({ type: 'integer' })
  storageUsedBytes: number;
}

export function toMeResponse({ user, preferences, accounts }: Profile, now: Date): MeResponse {
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      is_active: user.is_active,
      max_mailbox_accounts: user.max_mailbox_accounts,
      storage_quota_bytes: user.storage_quota_bytes,
      totp_enabled: user.totp_enabled,
      has_password: user.has_password,
      created_at: user.created_at,
    },
    mailboxAccounts: accounts.map((account) => toAccountResponse(account, now)),
    preferences: {
      language: preferences.language,
      timezone: preferences.timezone,
      theme: preferences.theme,
      density: preferences.density,
    },
    storageUsedBytes: accounts.reduce((total, account) => total + account.archived_bytes, 0),
  };
}

function toAccountResponse(account: ProfileAccount, now: Date): MailboxAccountResponse {
  const { status, rate_limited_until: until } = account;
  return {
    id: account.account_id,
    email: account.account_email,
    provider: account.provider,
    is_active: account.account_is_active,
    status: shownStatus({ status, rateLimitedUntil: until === null ? null : new Date(until) }, now),
    last_synced_at: account.last_synced_at,
    created_at: account.account_created_at,
  };
}
