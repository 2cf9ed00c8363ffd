import { DomainError } from '../../common/http/domain-error';

/** The store has no object under the key a mail row names: the file was lost outside the service. */
export class ObjectMissing extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'archived-file-missing',
      status: 404,
      detail: 'The archived file of this mail is missing from its store.',
      level: 'error',
      cause,
    });
  }
}

/** A mail row names a store that no longer exists. */
export class ArchiveStoreUnknown extends DomainError {
  constructor(storage: string) {
    super({
      code: 'archive-store-unknown',
      status: 503,
      detail: 'The store that holds this mail is not configured.',
      cause: new Error(`No archive store is named "${storage}".`),
    });
  }
}

/** No space, or no more quota, where the store keeps its files. */
export class ArchiveStoreFull extends DomainError {
  constructor(cause: unknown) {
    super({
      code: 'archive-store-full',
      status: 507,
      detail: 'There is no space left where the archive is stored.',
      level: 'error',
      cause,
    });
  }
}
