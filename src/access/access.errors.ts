import { DomainError } from '../common/http/domain-error';

export class Unauthenticated extends DomainError {
  constructor() {
    super({
      code: 'unauthorized',
      status: 401,
      detail: 'A valid access token is needed.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

export class AdminRequired extends DomainError {
  constructor() {
    super({ code: 'admin-required', status: 403, detail: 'Only administrators may do this.' });
  }
}

/** The same answer for an unknown account and somebody else's. */
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

/** Signing in, keys themselves, administration: never by an API key, however much it may do otherwise. */
export class SessionRequired extends DomainError {
  constructor() {
    super({ code: 'session-required', status: 403, detail: 'API keys cannot do this: sign in.' });
  }
}

/** RFC 6750 §3.1. */
export class ApiKeyScopeTooNarrow extends DomainError {
  constructor() {
    super({
      code: 'api-key-scope',
      status: 403,
      detail: 'An API key of scope write is needed for this.',
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' },
    });
  }
}

/** The same answer for an unknown account, somebody else's and one of the user's own that the key is not bound to. */
export class ApiKeyAccountRefused extends DomainError {
  constructor() {
    super({
      code: 'api-key-account',
      status: 403,
      detail: 'This API key is good for single mailbox accounts, and this is outside of them.',
    });
  }
}
