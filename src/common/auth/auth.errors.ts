import { DomainError } from '../http/domain-error';

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
