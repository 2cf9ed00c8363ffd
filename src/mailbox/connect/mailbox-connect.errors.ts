import { DomainError } from '../../platform/http/domain-error';

/** Returning from the consent page connected nothing; the code goes into the redirect. */
export class ConsentRefused extends DomainError {
  constructor(
    code: 'consent-denied' | 'consent-failed' | 'state-invalid' | 'session-mismatch' | 'session-ended',
  ) {
    super({ code, status: 403, detail: 'The mailbox was not connected.', level: 'info' });
  }
}
