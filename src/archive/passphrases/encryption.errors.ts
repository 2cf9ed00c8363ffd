import { DomainError } from '../../platform/http/domain-error';

/** A passphrase was given before one was set up. */
export class EncryptionNotConfigured extends DomainError {
  constructor() {
    super({
      code: 'encryption-not-configured',
      status: 409,
      detail: 'Set up a passphrase first.',
    });
  }
}

/** The passphrase can be set up once. */
export class EncryptionAlreadyConfigured extends DomainError {
  constructor() {
    super({
      code: 'encryption-already-configured',
      status: 409,
      detail:
        'A passphrase has been set up already. It cannot be changed, because mail is encrypted with it.',
    });
  }
}

/** The mail is encrypted, and no passphrase came with the request. */
export class MailsEncrypted extends DomainError {
  constructor() {
    super({
      code: 'mails-encrypted',
      status: 409,
      detail: 'Encrypted mail can only be read with its passphrase, in the header X-Archive-Passphrase.',
    });
  }
}

export class PassphraseInvalid extends DomainError {
  constructor() {
    super({ code: 'passphrase-invalid', status: 403, detail: 'The passphrase is wrong.' });
  }
}

export class MailNotEncrypted extends DomainError {
  constructor() {
    super({ code: 'mail-not-encrypted', status: 400, detail: 'The mail is not encrypted.' });
  }
}

/** The passphrase is right, but the file is altered or is that of another mail. */
export class MailUndecryptable extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'mail-undecryptable',
      status: 500,
      detail: 'The encrypted file is damaged and cannot be decrypted. The integrity check lists such mails.',
      cause,
    });
  }
}

/** Long enough for a queue of passphrase checks to be done. */
const BUSY_MS = 5_000;

/** Too many passphrases are waiting to be checked. */
export class PassphrasesBusy extends DomainError {
  constructor() {
    super({
      code: 'passphrases-busy',
      status: 503,
      detail: 'Too many passphrases are being checked. Try again shortly.',
      level: 'warn',
      retryAt: new Date(Date.now() + BUSY_MS),
    });
  }
}
