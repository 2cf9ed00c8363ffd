import { DomainError } from '../../platform/http/domain-error';

/** Of one user; what a list that is answered whole can carry. */
export const MAX_SAVED_SEARCHES = 500;

export class SavedSearchLimit extends DomainError {
  constructor() {
    super({
      code: 'saved-search-limit',
      status: 409,
      detail: `A user can have ${MAX_SAVED_SEARCHES} saved searches. Delete one first.`,
    });
  }
}
