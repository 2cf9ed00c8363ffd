import { DomainError } from '../common/http/domain-error';

/** Not one file lies in the archive's directory although mails name some: its disk is not there. */
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

/** A store could not be read, for a reason that says nothing about the files in it. */
export class StoreFailure extends Error {
  constructor(
    readonly storage: string,
    readonly error: unknown,
  ) {
    super(`The store "${storage}" cannot be read`, { cause: error });
  }
}

/** How a check ends that could not read a store; says what the store said. */
export class ArchiveStoreUnreadable extends DomainError {
  constructor({ code, detail }: Pick<DomainError, 'code' | 'detail'>) {
    super({ code, status: 503, detail, level: 'warn' });
  }
}

/** The store's own error in terms of a job's; what is not meant for people is not told. */
export function describeStoreFailure({ error }: StoreFailure): Pick<DomainError, 'code' | 'detail'> {
  if (error instanceof DomainError) return { code: error.code, detail: error.detail };
  return {
    code: 'archive-store-unreadable',
    detail: 'The store of the archive cannot be read at the moment.',
  };
}
