import { DomainError } from '../common/http/domain-error';

/** Why a return from the provider opens no session or links nobody; the code goes into the redirect. */
export type OidcRefusal =
  /** The person, or the provider's rules, said no. */
  | 'oidc-denied'
  /** The provider answered with another error. */
  | 'oidc-failed'
  /** The state is unknown, used or expired: begin again. */
  | 'oidc-state-invalid'
  /** It was another browser that began. */
  | 'oidc-browser-mismatch'
  /** What the provider sent is not to be trusted: signature, issuer, audience, nonce or time. */
  | 'oidc-token-invalid'
  | 'oidc-email-unverified'
  /** The user with this address has one-time codes on: link from within a session. */
  | 'oidc-link-needs-totp'
  /** The user with this address has a password, and anybody could have registered it: link from within a session. */
  | 'oidc-link-needs-password'
  /** The user is linked to another identity of this provider. */
  | 'oidc-already-linked'
  /** The identity is another user's. */
  | 'oidc-identity-taken'
  /** The session that wanted the link is over. */
  | 'oidc-session-ended'
  | 'account-inactive'
  | 'registration-closed';

export class OidcRefused extends DomainError {
  /** Whose sign-in it is, as far as that is known. */
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
