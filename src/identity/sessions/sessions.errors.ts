import { DomainError } from '../../platform/http/domain-error';

/** Another tab of the browser has just used the cookie: its answer brings the next one. */
export class RefreshInProgress extends DomainError {
  constructor() {
    super({
      code: 'refresh-in-progress',
      status: 409,
      detail: 'The session has just been renewed by another tab: repeat the request with the new cookies.',
    });
  }
}
