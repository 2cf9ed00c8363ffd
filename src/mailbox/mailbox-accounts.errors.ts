import { DomainError } from '../common/http/domain-error';

export class MailboxAccountLimit extends DomainError {
  constructor() {
    super({
      code: 'mailbox-account-limit',
      status: 403,
      detail: 'No further mailbox can be connected: disconnect one first, or ask an administrator.',
    });
  }
}

/** Its archive is being removed; connecting it now would mix what is kept with what is not. */
export class MailboxBeingPurged extends DomainError {
  constructor() {
    super({
      code: 'mailbox-purging',
      status: 409,
      detail: 'The archive of this mailbox is being removed; connect it again when that is done.',
    });
  }
}

export class ProviderNotConfigured extends DomainError {
  constructor() {
    super({
      code: 'provider-not-configured',
      status: 503,
      detail:
        'This installation has no client registered with the mail provider; an administrator can set one.',
      level: 'info',
    });
  }
}
