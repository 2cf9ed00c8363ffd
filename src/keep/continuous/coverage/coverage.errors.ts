import { DomainError } from '../../../platform/http/domain-error';

/** There is no ledger: continuous archiving of the mailbox is off. */
export class CoverageOff extends DomainError {
  constructor() {
    super({
      code: 'coverage-off',
      status: 409,
      detail:
        'Continuous archiving of this mailbox is off, so nothing is known about its messages. Switch it on first.',
    });
  }
}

/** More messages than one answer tells about. */
export class TooManyMessages extends DomainError {
  constructor() {
    super({
      code: 'too-many-messages',
      status: 400,
      detail: 'These are more than 10,000 messages. Ask about fewer at a time, or narrow the query.',
      errors: [{ field: 'query', message: 'query must not find more than 10,000 messages' }],
    });
  }
}
