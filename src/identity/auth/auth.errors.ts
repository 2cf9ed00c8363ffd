import { DomainError } from '../../platform/http/domain-error';

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

/** The same answer for a token that is unknown, used or expired. */
export class InvitationInvalid extends DomainError {
  constructor() {
    super({
      code: 'invitation-invalid',
      status: 404,
      detail: 'The invitation was used, was replaced by another one, or has expired. Ask for a new one.',
    });
  }
}

export class UserHasSignedIn extends DomainError {
  constructor() {
    super({
      code: 'user-has-signed-in',
      status: 409,
      detail: 'The user has a way to sign in already, or may not sign in: only others can be invited again.',
    });
  }
}

/** The same answer for a token that is unknown, used or expired, and for one whose user may not sign in. */
export class PasswordResetInvalid extends DomainError {
  constructor() {
    super({
      code: 'password-reset-invalid',
      status: 404,
      detail: 'The link was used, was replaced by another one, or has expired. Ask for a new one.',
    });
  }
}

export class UserCannotSignIn extends DomainError {
  constructor() {
    super({
      code: 'user-cannot-sign-in',
      status: 409,
      detail: 'The user is deactivated or being deleted: another password would not let them in.',
    });
  }
}
