import { DomainError } from '../../platform/http/domain-error';

/** The operator has not switched on the listener for copied mail. */
export class JournalNotAvailable extends DomainError {
  constructor() {
    super({
      code: 'journal-not-available',
      status: 409,
      detail: 'This server does not take copied mail: its operator has to switch it on (SMTP_JOURNAL_PORT).',
    });
  }
}
