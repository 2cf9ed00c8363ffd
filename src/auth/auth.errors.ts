import { DomainError } from '../common/http/domain-error';

/** The same answer for an unknown address, a wrong password and a deactivated user. */
export class CredentialsInvalid extends DomainError {
  constructor() {
    super({
      code: 'invalid-credentials',
      status: 401,
      detail: 'The e-mail address or the password is wrong.',
    });
  }
}

export class RefreshTokenInvalid extends DomainError {
  constructor() {
    super({
      code: 'invalid-refresh-token',
      status: 401,
      detail: 'The refresh token is missing, used or expired: sign in again.',
    });
  }
}

export class RegistrationClosed extends DomainError {
  constructor() {
    super({
      code: 'registration-closed',
      status: 403,
      detail: 'Registration is closed on this installation.',
    });
  }
}
