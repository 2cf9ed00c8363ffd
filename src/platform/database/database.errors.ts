import { DomainError } from '../http/domain-error';
import { TooManyRequests } from '../rate-limit/rate-limiter';

export class QueryTooExpensive extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'query-too-expensive',
      status: 503,
      detail:
        'This takes the database too long. Ask for less: fewer days, a rarer word, a longer part of the sender, or a page nearer to the first or the last.',
      level: 'warn',
      cause,
    });
  }
}

/** Enough for one of the statements in front to have ended. */
const RETRY_AFTER_MS = 5_000;

/** Everybody has a part of the connections: other requests of the same user hold all of it. */
export class TooManyAtOnce extends TooManyRequests {
  constructor() {
    super(RETRY_AFTER_MS, 'Your other requests are still at work: send fewer at a time.');
  }
}
