import { DomainError } from '../common/http/domain-error';

/** Whoever removes their own account could not see it through. */
export class OwnAccount extends DomainError {
  constructor() {
    super({
      code: 'own-account',
      status: 409,
      detail: 'You cannot delete yourself: another administrator has to.',
    });
  }
}

/** The user's jobs were told to stop and have not. */
export class UserStillBusy extends DomainError {
  constructor(jobs: number) {
    super({
      code: 'user-still-busy',
      status: 409,
      detail: `${jobs} jobs of the user are still running. The deletion goes on within an hour.`,
    });
  }
}

/** Files lie in a store that cannot be reached, or refuses us. */
export class UserFilesRemain extends DomainError {
  /** @param reason what the store said, a sentence */
  constructor(reason: string, cause: DomainError) {
    super({
      code: 'user-files-remain',
      status: 503,
      detail: `Everything else of the user is removed, but files remain. ${reason} The deletion goes on within an hour.`,
      level: 'warn',
      cause,
    });
  }
}
