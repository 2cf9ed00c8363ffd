/** OAuth 2.0 tokens of one mailbox account. Sealed at rest, never logged, never returned. */
export interface OAuthCredentials {
  /** Kind of credentials; missing in rows stored when there was no other kind. */
  readonly kind?: 'oauth';
  readonly accessToken: string;
  /** Kept across refreshes: the provider usually sends it only with the first consent. */
  readonly refreshToken: string;
  readonly expiresAt: Date;
  /** Issuer of a grant for IMAP, e.g. `microsoft`; missing in grants for the Gmail API. */
  readonly issuer?: string;
  /** Identifies a grant for IMAP, however often its tokens are renewed; missing in grants for the Gmail API. */
  readonly grantId?: string;
}

/** The password of one mailbox account, perhaps one the provider has made for this application. Treated like tokens. */
export interface PasswordCredentials {
  readonly kind: 'password';
  readonly password: string;
  /** Version of the stored credentials, which differs even when the same password is stored again. Set by `load`. */
  readonly version?: string;
}

export type MailboxCredentials = OAuthCredentials | PasswordCredentials;

/** Port through which adapters reach the credentials of an account; implemented by `mailbox`. */
export abstract class ProviderCredentials {
  /** @throws MailboxDisconnected when the account is gone, switched off or disconnected; ReauthRequired when the grant is known to be dead */
  abstract load(accountId: string): Promise<MailboxCredentials>;
  /**
   * Stores refreshed tokens.
   * @param replacing the credentials they were refreshed from; when others have been stored since, nothing changes
   * @returns whether they were stored; never for an account that was disconnected meanwhile
   */
  abstract save(
    accountId: string,
    credentials: OAuthCredentials,
    replacing?: OAuthCredentials,
  ): Promise<boolean>;
  /**
   * Marks the account `needs_reauth`, because the provider answered `invalid_grant` or refused the login for good.
   * @param refused the credentials that were refused; when others have been stored since, nothing changes
   * @returns whether the account was marked
   */
  abstract markReauthRequired(accountId: string, refused?: MailboxCredentials): Promise<boolean>;
  /** Records that the whole account is paused until then, unless a longer pause is recorded; shown as `rate_limited`. */
  abstract setPausedUntil(accountId: string, until: Date): Promise<void>;
}

/** The answer of a token endpoint; a missing refresh token means "keep the one you have". */
export interface RefreshedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt: Date;
}

/** Refreshes access tokens (RFC 6749 section 6); implemented by the adapters. */
export abstract class TokenEndpoint {
  /**
   * @param provider wire name, e.g. `gmail`
   * @throws ReauthRequired on `invalid_grant`; ProviderFailure (`unavailable` or `refused`) otherwise
   */
  abstract refresh(provider: string, credentials: OAuthCredentials): Promise<RefreshedTokens>;
}
