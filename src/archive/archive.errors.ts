import { DomainError } from '../common/http/domain-error';

/** A mail is asked for within JSON and is larger than that is made for. */
export class MailTooLarge extends DomainError {
  constructor() {
    super({
      code: 'mail-too-large',
      status: 400,
      detail:
        'The mail is larger than 25 MiB. Download it from its /eml address, with the passphrase in the header X-Archive-Passphrase.',
    });
  }
}

/** The account was removed while mail was on its way into its archive. */
export class MailboxAccountGone extends DomainError {
  constructor() {
    super({ code: 'mailbox-account-gone', status: 409, detail: 'The mailbox account has been removed.' });
  }
}

/** The user's storage quota leaves no room for more mail. */
export class StorageQuotaExceeded extends DomainError {
  constructor() {
    super({
      code: 'quota-exceeded',
      status: 409,
      detail: 'The storage quota is used up: remove archived mail, or ask for a larger quota.',
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
