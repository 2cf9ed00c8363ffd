import { DomainError } from '../../platform/http/domain-error';

/** Most saved searches of one user, few enough to list them all in one answer. */
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
