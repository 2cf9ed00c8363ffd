import { DomainError } from '../../platform/http/domain-error';

/** The message took the renderer longer than any message should, or more memory than a thread has. */
export class MailNotRendered extends DomainError {
  constructor(cause: unknown) {
    super({
      code: 'mail-not-rendered',
      status: 500,
      detail: 'The mail could not be prepared for reading. It can be downloaded as it is.',
      cause,
    });
  }
}
