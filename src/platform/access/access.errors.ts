import { DomainError } from '../http/domain-error';

export class Unauthenticated extends DomainError {
  constructor() {
    super({
      code: 'unauthorized',
      status: 401,
      detail: 'This needs a valid access token.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

export class AdminRequired extends DomainError {
  constructor() {
    super({ code: 'admin-required', status: 403, detail: 'Only administrators may do this.' });
  }
}

/** The same answer for an unknown account and another user's. */
export class AccountNotOwned extends DomainError {
  constructor() {
    super({ code: 'account-not-owned', status: 403, detail: 'This mailbox account is not yours.' });
  }
}

export class ForeignOrigin extends DomainError {
  constructor() {
    super({ code: 'foreign-origin', status: 403, detail: 'The request does not come from the application.' });
  }
}

/** Sign-in, API keys themselves and administration need a session, whatever the scope of a key. */
export class SessionRequired extends DomainError {
  constructor() {
    super({ code: 'session-required', status: 403, detail: 'API keys cannot do this: sign in instead.' });
  }
}

/** RFC 6750 §3.1. */
export class ApiKeyScopeTooNarrow extends DomainError {
  constructor() {
    super({
      code: 'api-key-scope',
      status: 403,
      detail: 'This needs an API key with scope write.',
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' },
    });
  }
}

/** The same answer for an unknown account, another user's, and one of the user's own that the key is not bound to. */
export class ApiKeyAccountRefused extends DomainError {
  constructor() {
    super({
      code: 'api-key-account',
      status: 403,
      detail: 'This API key is limited to other mailbox accounts.',
    });
  }
}
