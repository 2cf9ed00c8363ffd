import { DomainError } from '../common/http/domain-error';

/** Something asked for is encrypted, and no passphrase came with the request. */
export class MailsEncrypted extends DomainError {
  constructor() {
    super({
      code: 'mails-encrypted',
      status: 409,
      detail: 'Encrypted mail can only be read with its passphrase, in the header X-Archive-Passphrase.',
    });
  }
}
