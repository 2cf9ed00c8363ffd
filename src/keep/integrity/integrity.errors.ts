import { DomainError } from '../../platform/http/domain-error';

/** The archive's directory is empty although mails name files in it: its disk is not mounted. */
export class ArchiveDirectoryEmpty extends DomainError {
  constructor() {
    super({
      code: 'archive-directory-empty',
      status: 503,
      detail: 'The archive directory holds no archive. Is its disk mounted?',
      level: 'error',
    });
  }
}

/** A store could not be read, for a reason unrelated to its files. */
export class StoreFailure extends Error {
  constructor(
    readonly storage: string,
    readonly error: unknown,
  ) {
    super(`The store "${storage}" cannot be read`, { cause: error });
  }
}

/** The error of a check that could not read a store, with the store's own message. */
export class ArchiveStoreUnreadable extends DomainError {
  constructor({ code, detail }: Pick<DomainError, 'code' | 'detail'>) {
    super({ code, status: 503, detail, level: 'warn' });
  }
}

/** The store's error as the error of a job; internal errors are replaced by a general one. */
export function describeStoreFailure({ error }: StoreFailure): Pick<DomainError, 'code' | 'detail'> {
  if (error instanceof DomainError) return { code: error.code, detail: error.detail };
  return {
    code: 'archive-store-unreadable',
    detail: 'The store of the archive cannot be read at the moment.',
  };
}
