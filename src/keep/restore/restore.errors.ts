import { DomainError } from '../../platform/http/domain-error';

/** There is no dry run that can be started: it has not ended, has failed, or is too old. */
export class DryRunMissing extends DomainError {
  constructor() {
    super({
      code: 'dry-run-missing',
      status: 409,
      detail: 'There is no dry run to start. Wait for its end, or make a new one.',
    });
  }
}

export class RestoreRunning extends DomainError {
  constructor() {
    super({ code: 'restore-running', status: 409, detail: 'The restore is running already.' });
  }
}

export class RestoreDone extends DomainError {
  constructor() {
    super({ code: 'restore-done', status: 409, detail: 'The restore has been done.' });
  }
}

/** Reasons why a destination does not accept one mail; other mails are not affected. */
export type DestinationRefusal = 'outcome-unknown' | 'message-refused' | 'message-too-large' | 'mailbox-full';

const REFUSALS: Readonly<Record<DestinationRefusal, string>> = {
  'outcome-unknown': 'It is not known whether the mail was added, and it cannot be looked for.',
  'message-refused': 'The mailbox does not take this mail.',
  'message-too-large': 'The mail is larger than the mailbox takes.',
  'mailbox-full': 'The mailbox is full: it takes no more mail.',
};

export class RefusedByDestination extends DomainError {
  constructor(refusal: DestinationRefusal, cause?: unknown) {
    super({ code: refusal, status: 502, detail: REFUSALS[refusal], level: 'info', cause });
  }
}
