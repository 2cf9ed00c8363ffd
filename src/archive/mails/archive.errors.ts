import { DomainError } from '../../platform/http/domain-error';
import type { QuerySpan } from '../../platform/search/query-tokens';

/** The mail is too large for a JSON response. */
export class MailTooLarge extends DomainError {
  constructor() {
    super({
      code: 'mail-too-large',
      status: 400,
      detail:
        'The mail is larger than 25 MiB. Download it from its /eml address with the passphrase in the header X-Archive-Passphrase.',
    });
  }
}

/** The account was deleted while mail was being archived. */
export class MailboxAccountGone extends DomainError {
  constructor() {
    super({ code: 'mailbox-account-gone', status: 409, detail: 'The mailbox account has been removed.' });
  }
}

/** The user's storage quota has no room for more mail. */
export class StorageQuotaExceeded extends DomainError {
  constructor() {
    super({
      code: 'quota-exceeded',
      status: 409,
      detail: 'The storage quota is used up. Delete archived mail or ask for a larger quota.',
    });
  }
}

/** Files of a batch were removed each time they had been written. */
export class ArchiveBusy extends DomainError {
  constructor() {
    super({
      code: 'archive-busy',
      status: 503,
      detail: 'The same mail is being removed from the archive again and again. Try it again later.',
      level: 'warn',
    });
  }
}

/** More mails than one request may be about. */
export class TooManyMails extends DomainError {
  constructor(most: number) {
    super({
      code: 'too-many-mails',
      status: 400,
      detail: `The filter finds more than ${most.toLocaleString('en-US')} mails. Narrow it, for example by dates.`,
    });
  }
}

/** The query `q` has a term that archived mail cannot be searched for. Dropping it would find more than was asked for. */
export class ArchiveTermNotSupported extends DomainError {
  /**
   * @param term as it stands in the query
   * @param span its place in the query
   */
  constructor(term: string, span?: QuerySpan) {
    const detail = `The archive cannot be searched for "${term.slice(0, 100)}".`;
    super({
      code: 'search-term-unsupported',
      status: 400,
      detail,
      errors: [{ field: 'q', message: detail }],
      span,
    });
  }
}
