import { DomainError, ValidationFailed } from '../../platform/http/domain-error';

export class MailboxAccountLimit extends DomainError {
  constructor() {
    super({
      code: 'mailbox-account-limit',
      status: 403,
      detail: 'You cannot connect another mailbox. Disconnect one first, or ask an administrator.',
    });
  }
}

/** Archives without a mailbox that a user can have. */
export const MAX_ARCHIVES = 50;

export class ArchiveLimit extends DomainError {
  constructor() {
    super({
      code: 'archive-limit',
      status: 403,
      detail: `You cannot create more than ${MAX_ARCHIVES} archives. Delete one first.`,
    });
  }
}

export class ArchiveExists extends DomainError {
  constructor() {
    super({ code: 'archive-exists', status: 409, detail: 'You already have an archive of that name.' });
  }
}

/** The account is that of a mailbox, whose name is its address. */
export class MailboxNotRenamable extends DomainError {
  constructor() {
    super({
      code: 'mailbox-not-renamable',
      status: 409,
      detail: 'A mailbox keeps its address as its name. Only archives without a mailbox can be renamed.',
    });
  }
}

/** The account to be connected again is that of another mailbox. */
export class AnotherMailbox extends ValidationFailed {
  constructor() {
    super([{ field: 'email', message: 'must be the address of the mailbox that is connected again' }]);
  }
}

/** The account's archive is being deleted. Connecting it now would mix mails to keep with mails to delete. */
export class MailboxBeingPurged extends DomainError {
  constructor() {
    super({
      code: 'mailbox-purging',
      status: 409,
      detail: 'The archive of this mailbox is being deleted. Connect the mailbox again when that is done.',
    });
  }
}

/** The mailbox is connected by another provider. Two accounts would copy the same messages twice. */
export class MailboxConnectedOtherwise extends DomainError {
  constructor() {
    super({
      code: 'mailbox-connected-otherwise',
      status: 409,
      detail:
        'This mailbox is already connected in another way. Disconnect it first to connect it in this one.',
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
