import { DomainError } from '../../platform/http/domain-error';

export class EmailTaken extends DomainError {
  constructor() {
    super({ code: 'email-taken', status: 409, detail: 'There is already a user with this e-mail address.' });
  }
}

/** The user is being deleted: there is no way back from that. */
export class UserBeingDeleted extends DomainError {
  constructor() {
    super({
      code: 'user-being-deleted',
      status: 409,
      detail: 'The user is being deleted and can no longer be changed.',
    });
  }
}

/** The change would leave no active administrator. */
export class LastActiveAdmin extends DomainError {
  constructor() {
    super({
      code: 'last-active-admin',
      status: 409,
      detail: 'The last active administrator cannot be demoted, deactivated or deleted.',
    });
  }
}

/** Too many passwords are waiting to be hashed. */
export class SignInBusy extends DomainError {
  constructor() {
    super({
      code: 'sign-in-busy',
      status: 503,
      detail: 'Too many users are signing in right now; try again shortly.',
      level: 'warn',
      headers: { 'Retry-After': '5' },
    });
  }
}
