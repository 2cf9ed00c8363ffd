import { DomainError } from '../../platform/http/domain-error';

/** The password is right; the sign-in also needs a one-time code. */
export class TotpRequired extends DomainError {
  constructor() {
    super({
      code: 'totp-required',
      status: 401,
      detail: 'This sign-in needs a one-time code: send `totp_code`.',
    });
  }
}

/** The same answer for wrong codes and used ones. */
export class TotpInvalid extends DomainError {
  /** @param status 401 at sign-in; 403 for signed-in users, with the name of the wrong field */
  constructor(status: 401 | 403) {
    const detail = 'The one-time code is wrong, expired or used.';
    const errors = status === 403 ? [{ field: 'totp_code', message: detail }] : undefined;
    super({ code: 'totp-invalid', status, detail, errors });
  }
}

/** The key that sealed the secret is gone: no code can be checked. */
export class TotpUnreadable extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'totp-unreadable',
      status: 409,
      level: 'error',
      detail: 'Your one-time codes cannot be checked any more: ask the operator to turn them off.',
      cause,
    });
  }
}

/** A signed-in user has to enter the password again. */
export class PasswordInvalid extends DomainError {
  /** @param field of the request that has the password */
  constructor(field = 'password') {
    const detail = 'The password is wrong.';
    super({ code: 'password-invalid', status: 403, detail, errors: [{ field, message: detail }] });
  }
}

/** Users of an identity provider have their second factor there. */
export class NoLocalPassword extends DomainError {
  constructor() {
    super({
      code: 'no-local-password',
      status: 409,
      detail: 'You sign in through an identity provider and have no password here.',
    });
  }
}

export class TotpAlreadyEnabled extends DomainError {
  constructor() {
    super({ code: 'totp-already-enabled', status: 409, detail: 'One-time codes are on already.' });
  }
}

export class TotpNotSetUp extends DomainError {
  constructor() {
    super({
      code: 'totp-not-set-up',
      status: 409,
      detail: 'Set up one-time codes first; an earlier set-up may have expired.',
    });
  }
}

export class TotpNotEnabled extends DomainError {
  constructor() {
    super({ code: 'totp-not-enabled', status: 409, detail: 'One-time codes are not on.' });
  }
}
