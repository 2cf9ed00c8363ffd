import type { MailboxCredentials, OAuthCredentials } from './provider-credentials.port';

export interface ConnectedMailbox<Credentials extends MailboxCredentials = MailboxCredentials> {
  /** Address of the mailbox, lower-case. */
  readonly email: string;
  readonly credentials: Credentials;
  /** Granted scopes; empty for a password. */
  readonly scopes: readonly string[];
}

/** OAuth 2.0 authorisation-code flow with PKCE (RFC 7636) against one mail provider. */
export abstract class MailboxConnector {
  /** Wire names of the providers that can be connected, e.g. `gmail`; empty when no client is configured. */
  abstract readonly available: readonly string[];

  /** URL to which the user's browser is sent. */
  abstract buildAuthorizationUrl(request: {
    redirectUri: string;
    state: string;
    /** base64url SHA-256 of the verifier. */
    codeChallenge: string;
    loginHint?: string;
  }): string;

  /** Exchanges the code. @throws ProviderRejected (bad code, scopes missing), ProviderUnavailable */
  abstract exchange(request: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<ConnectedMailbox<OAuthCredentials>>;

  /** Ends the grant at the provider; an already dead grant counts as success. @throws ProviderUnavailable */
  abstract revoke(credentials: OAuthCredentials): Promise<void>;
}
