/** OAuth 2.0 tokens of one mailbox account. Sealed at rest, never logged, never returned. */
export interface OAuthCredentials {
  readonly accessToken: string;
  /** Kept across refreshes: the provider usually sends it only with the first consent. */
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** How adapters reach the credentials of an account; implemented by the accounts feature. */
export abstract class ProviderCredentials {
  /** @throws MailboxDisconnected when the account is gone, switched off or disconnected; ReauthRequired when the grant is known to be dead */
  abstract load(accountId: string): Promise<OAuthCredentials>;
  /** Stores refreshed tokens. */
  abstract save(accountId: string, credentials: OAuthCredentials): Promise<void>;
  /** The provider answered `invalid_grant`: the account becomes `needs_reauth`. */
  abstract markReauthRequired(accountId: string): Promise<void>;
  /** The whole account is paused until then (null: no longer); shown as `rate_limited`. */
  abstract setPausedUntil(accountId: string, until: Date | null): Promise<void>;
}
