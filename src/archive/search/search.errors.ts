import { DomainError } from '../../platform/http/domain-error';

/** A live mailbox did not answer a search in the time that a user waits for it. */
export class MailboxNotSearchedInTime extends DomainError {
  constructor() {
    super({
      code: 'mailbox-not-searched-in-time',
      status: 503,
      detail: 'The mailbox did not answer the search within 8 seconds. Search again in a moment.',
      level: 'info',
    });
  }
}
