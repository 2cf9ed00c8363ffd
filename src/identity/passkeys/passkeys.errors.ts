import { DomainError } from '../../platform/http/domain-error';

/** Per user: one for each device, and more. */
export const MAX_PASSKEYS = 20;

/** Browsers bind passkeys to a host name, and offer them to secure pages only (WebAuthn Level 3, section 5.1.2). */
export class PasskeysUnavailable extends DomainError {
  constructor() {
    super({
      code: 'passkeys-unavailable',
      status: 409,
      detail:
        'Passkeys need this installation to be opened at an HTTPS address with a host name: set APP_URL.',
    });
  }
}

export class PasskeyLimit extends DomainError {
  constructor() {
    super({
      code: 'passkey-limit',
      status: 409,
      detail: `There can be at most ${MAX_PASSKEYS} passkeys: delete one first.`,
    });
  }
}

/** A credential that is not accepted as a new passkey: its request has expired, or was meant for another user or address. */
export class PasskeyInvalid extends DomainError {
  constructor(cause?: unknown) {
    const detail = 'The passkey could not be checked, or the request has expired: try again.';
    super({
      code: 'passkey-invalid',
      status: 400,
      detail,
      errors: [{ field: 'credential', message: detail }],
      cause,
    });
  }
}

/** The same answer for passkeys that are not known, of inactive users, and wrong signatures. */
export class PasskeyRefused extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'passkey-refused',
      status: 401,
      detail: 'This passkey does not open an account here, or the request has expired.',
      cause,
    });
  }
}
