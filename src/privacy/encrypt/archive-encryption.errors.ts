import { DomainError } from '../../platform/http/domain-error';

/** The passphrase that a job was started with cannot be read any more, e.g. because the service's own key has changed. */
export class PassphraseForgotten extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'passphrase-forgotten',
      status: 409,
      detail: 'The passphrase given for this encryption is no longer available. Start the encryption again.',
      level: 'warn',
      cause,
    });
  }
}
