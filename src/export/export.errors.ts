import { DomainError } from '../common/http/domain-error';

/** A mail that was asked for went out of the archive while the export was written. */
export class MailDeletedMeanwhile extends DomainError {
  constructor(id: string) {
    super({
      code: 'mail-deleted-meanwhile',
      status: 409,
      detail: `Mail ${id} was deleted while it was exported: export again without it.`,
      level: 'warn',
    });
  }
}

/** The file of a mail is not what was archived: it was altered outside the service. */
export class MailAltered extends DomainError {
  constructor(id: string) {
    super({
      code: 'archived-file-altered',
      status: 409,
      detail: `The archived file of mail ${id} is not what was archived.`,
      level: 'error',
    });
  }
}

/** A mail was encrypted while the export was written, whose request came without the passphrase. */
export class MailEncryptedMeanwhile extends DomainError {
  constructor(id: string) {
    super({
      code: 'mail-encrypted-meanwhile',
      status: 409,
      detail: `Mail ${id} was encrypted while it was exported: export again with the passphrase.`,
      level: 'warn',
    });
  }
}
