import { DomainError } from '../common/http/domain-error';

/** The password was right; a one-time code is needed as well. */
export class TotpRequired extends DomainError {
  constructor() {
    super({ code: 'totp-required', status: 401, detail: 'A one-time code is needed: send `totp_code`.' });
  }
}

/** One answer for wrong codes and used ones. */
export class TotpInvalid extends DomainError {
  /** @param status 401 at sign-in, 403 for somebody who is signed in */
  constructor(status: 401 | 403) {
    super({ code: 'totp-invalid', status, detail: 'The one-time code is wrong, expired or used.' });
  }
}

/** Somebody who is signed in must show that they know the password. */
export class PasswordInvalid extends DomainError {
  constructor() {
    super({ code: 'password-invalid', status: 403, detail: 'The password is wrong.' });
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
    super({ code: 'totp-not-set-up', status: 409, detail: 'Set one-time codes up first, or again.' });
  }
}

export class TotpNotEnabled extends DomainError {
  constructor() {
    super({ code: 'totp-not-enabled', status: 409, detail: 'One-time codes are not on.' });
  }
}
