import { DomainError } from '../http/domain-error';

/** The disk on which bytes of other hosts wait until all of them are here is full. */
export class ArrivalsDiskFull extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'insufficient-storage',
      status: 507,
      detail: 'The server has no room to receive the mail at present.',
      level: 'warn',
      cause,
    });
  }
}

/** A host sends more in one piece than a user's share of that disk: no mail is so large. */
export class ArrivalTooLarge extends DomainError {
  constructor() {
    super({
      code: 'insufficient-storage',
      status: 507,
      detail: 'The store or server that holds the mail sends more than the server receives in one piece.',
      level: 'warn',
    });
  }
}
