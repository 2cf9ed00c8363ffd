import type { MailboxCredentials, OAuthCredentials } from './provider-credentials.port';

export interface ConnectedMailbox<Credentials extends MailboxCredentials = MailboxCredentials> {
  /** Address of the mailbox, lower-case. */
  readonly email: string;
  /** User name of the login by IMAP, where a grant names one. */
  readonly username?: string;
  readonly credentials: Credentials;
  /** Granted scopes; empty for a password. */
  readonly scopes: readonly string[];
}

/** Parameters of an authorisation request (RFC 6749, section 4.1.1, with PKCE). */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  /** base64url SHA-256 of the verifier. */
  readonly codeChallenge: string;
  readonly loginHint?: string;
}

/** A code and the parameters that belong to it (RFC 6749, section 4.1.3). */
export interface CodeExchange {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** A consent that a person gives on another device (RFC 8628, section 3.2). */
export interface DeviceAuthorization {
  /** Secret with which the grant is asked for. */
  readonly deviceCode: string;
  /** Code that the person enters. */
  readonly userCode: string;
  readonly verificationUri: string;
  /** Address that contains the code; null: the issuer has none. */
  readonly verificationUriComplete: string | null;
  readonly expiresAt: Date;
  /** Shortest time between two questions, in seconds. */
  readonly intervalSeconds: number;
}

/** The person has not answered yet (RFC 8628, section 3.5). */
export class DeviceConsentPending extends Error {
  /** @param isTooFast whether the issuer wants 5 seconds more between questions */
  constructor(readonly isTooFast: boolean) {
    super('The consent is pending');
  }
}

/** OAuth 2.0 flows against mail providers: authorisation code with PKCE (RFC 7636), and device code (RFC 8628). */
export abstract class MailboxConnector {
  /** Wire names of the providers that can be connected, e.g. `gmail`; empty when no client is configured. */
  abstract readonly available: readonly string[];

  /** IMAP server to which a grant of the provider logs in; null: its grants are for another interface. */
  abstract imapServerOf(provider: string): { readonly host: string; readonly port: number } | null;

  /** URL to which the user's browser is sent. */
  abstract buildAuthorizationUrl(provider: string, request: AuthorizationRequest): string;

  /** Exchanges the code. @throws ProviderRejected (bad code, scopes missing), ProviderUnavailable */
  abstract exchange(provider: string, exchange: CodeExchange): Promise<ConnectedMailbox<OAuthCredentials>>;

  /** Asks for a code for a person to enter. @throws ProviderRejected (no such flow), ProviderUnavailable */
  abstract beginDevice(provider: string): Promise<DeviceAuthorization>;

  /**
   * Asks for the grant of a consent that was begun with `beginDevice`.
   * @throws DeviceConsentPending; ProviderRejected (denied: `access_denied`, too late: `expired_token`); ProviderUnavailable
   */
  abstract finishDevice(provider: string, deviceCode: string): Promise<ConnectedMailbox<OAuthCredentials>>;

  /** Ends the grant at the provider; an already dead grant counts as success. @throws ProviderUnavailable */
  abstract revoke(credentials: OAuthCredentials): Promise<void>;
}
