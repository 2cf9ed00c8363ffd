import { DomainError } from '../../platform/http/domain-error';

/** Administrators cannot follow the deletion of their own account. */
export class OwnAccount extends DomainError {
  constructor() {
    super({
      code: 'own-account',
      status: 409,
      detail: 'You cannot delete yourself: another administrator has to.',
    });
  }
}

const LOOK_AGAIN_MS = 10_000;

/** The user's jobs were cancelled and have not stopped yet. */
export class UserStillBusy extends DomainError {
  constructor(jobs: number) {
    super({
      code: 'user-still-busy',
      status: 409,
      detail: `${jobs} jobs of the user are still running. The deletion goes on within an hour.`,
      retryAt: new Date(Date.now() + LOOK_AGAIN_MS),
    });
  }
}

/** Files are in a store that cannot be reached or refuses access. */
export class UserFilesRemain extends DomainError {
  /** @param reason a sentence from the store's error */
  constructor(reason: string, cause: DomainError) {
    super({
      code: 'user-files-remain',
      status: 503,
      detail: `All other data of the user is deleted, but files remain. ${reason} The deletion goes on within an hour.`,
      level: 'warn',
      cause,
    });
  }
}
