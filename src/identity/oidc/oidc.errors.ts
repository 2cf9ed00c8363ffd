import { DomainError } from '../../platform/http/domain-error';

/** Why a return from the provider opens no session and links nothing; the code goes into the redirect. */
export type OidcRefusal =
  /** The person, or a rule of the provider, refused. */
  | 'oidc-denied'
  /** The provider answered with another error. */
  | 'oidc-failed'
  /** The state is unknown, used or expired: begin again. */
  | 'oidc-state-invalid'
  /** Another browser began the flow. */
  | 'oidc-browser-mismatch'
  /** The token cannot be trusted: its signature, issuer, audience, nonce or time is wrong. */
  | 'oidc-token-invalid'
  | 'oidc-email-unverified'
  /** The user with this address has one-time codes on and must link from a session. */
  | 'oidc-link-needs-totp'
  /** The user with this address registered with a password, which proves nothing about the address, and must link from a session. */
  | 'oidc-link-needs-password'
  /** The user is linked to another identity of this provider. */
  | 'oidc-already-linked'
  /** The identity belongs to another user. */
  | 'oidc-identity-taken'
  /** The session that asked for the link has ended. */
  | 'oidc-session-ended'
  | 'account-inactive'
  | 'registration-closed';

export class OidcRefused extends DomainError {
  /** The user who tried to sign in, if known. */
  readonly userId: string | null;

  constructor(code: OidcRefusal, { cause, userId }: { cause?: unknown; userId?: string } = {}) {
    super({ code, status: 403, detail: 'The sign-in was not completed.', level: 'info', cause });
    this.userId = userId ?? null;
  }
}

export class OidcNotConfigured extends DomainError {
  constructor() {
    super({ code: 'oidc-not-configured', status: 404, detail: 'No OpenID provider is configured.' });
  }
}

/** The provider does not answer, or not in time. */
export class OidcUnavailable extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'oidc-unavailable',
      status: 503,
      detail: 'The identity provider cannot be reached; try again shortly.',
      level: 'warn',
      headers: { 'Retry-After': '10' },
      cause,
    });
  }
}

export class IdentityNotLinked extends DomainError {
  constructor() {
    super({ code: 'oidc-not-linked', status: 409, detail: 'You are not linked to an identity provider.' });
  }
}
