import { DomainError } from '../../platform/http/domain-error';

/** A requested mail was deleted while the export was written. */
export class MailDeletedMeanwhile extends DomainError {
  constructor(id: string) {
    super({
      code: 'mail-deleted-meanwhile',
      status: 409,
      detail: `Mail ${id} was deleted during the export. Export again without it.`,
      level: 'warn',
    });
  }
}

/** The file of a mail was altered outside the service. */
export class MailAltered extends DomainError {
  constructor(id: string) {
    super({
      code: 'archived-file-altered',
      status: 409,
      detail: `The archived file of mail ${id} has been altered.`,
      level: 'error',
    });
  }
}

/** A mail was encrypted while the export was written, and the request had no passphrase. */
export class MailEncryptedMeanwhile extends DomainError {
  constructor(id: string) {
    super({
      code: 'mail-encrypted-meanwhile',
      status: 409,
      detail: `Mail ${id} was encrypted during the export. Export again with the passphrase.`,
      level: 'warn',
    });
  }
}
