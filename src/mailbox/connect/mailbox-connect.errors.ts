import { DomainError } from '../../platform/http/domain-error';

/** The return from the consent page connected no mailbox. The redirect contains the code. */
export class ConsentRefused extends DomainError {
  constructor(
    code: 'consent-denied' | 'consent-failed' | 'state-invalid' | 'session-mismatch' | 'session-ended',
  ) {
    super({ code, status: 403, detail: 'The mailbox was not connected.', level: 'info' });
  }
}

/** The account to connect again has another address than the mailbox of the consent. */
export class AnotherMailboxConsented extends DomainError {
  constructor() {
    super({
      code: 'another-mailbox',
      status: 409,
      detail: 'The consent is for another mailbox than the one to connect again, so nothing was changed.',
      level: 'info',
    });
  }
}
