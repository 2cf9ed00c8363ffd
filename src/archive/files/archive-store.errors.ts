import { ArrivalsDiskFull } from '../../platform/arrivals/arrivals.errors';
import { DomainError } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';

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

/** The place where the store keeps its files has no space, or no more quota. */
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

/** The object store could not be reached within the time limit. Nothing is lost: the same work can be done later. */
export class ArchiveStoreUnavailable extends DomainError {
  /** @param reason a clause such as `it refuses connections` */
  constructor(reason: string, cause?: unknown) {
    super({
      code: 'archive-store-unavailable',
      status: 503,
      detail: `The object store of this archive is not available: ${reason}. Try again once it is back.`,
      headers: { 'Retry-After': '10' },
      level: 'warn',
      cause,
    });
  }
}

/** The object store refuses the request: a user has to change its configuration or its permissions. */
export class ArchiveStoreRefused extends DomainError {
  /** @param reason a clause such as `the secret access key is wrong` */
  constructor(reason: string, cause?: unknown) {
    super({
      code: 'archive-store-refused',
      status: 409,
      detail: `The object store of this archive cannot be used: ${reason}. Check the storage configuration.`,
      level: 'warn',
      cause,
    });
  }
}

/** The listing of the object store does not end: the store may hold files that were neither listed nor deleted. */
export class ArchiveStoreEndless extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'archive-store-endless',
      status: 503,
      detail:
        'The object store of this archive is too slow, or its listing has no end. It may hold further files.',
      level: 'warn',
      cause,
    });
  }
}

/** The bucket does not exist. An archive is not lost because of a wrong name; files to delete are not there. */
export class ArchiveBucketMissing extends ArchiveStoreRefused {}

/** Declares the problems that routes may answer when they read the file of an archived mail. */
export const StoreProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(
    new ObjectMissing(),
    new ArchiveStoreRefused('the secret access key is wrong'),
    new ArchiveStoreUnknown('objstore'),
    new ArchiveStoreUnavailable('it refuses connections'),
    new ArrivalsDiskFull(),
  );

/** Codes of permanent errors of a single file: a damaged sector, a folder in its place. */
const DAMAGE = new Set(['EIO', 'EISDIR', 'ELOOP', 'EILSEQ']);

/** Whether a file cannot be read because it is damaged. */
export const isDamage = (error: unknown): boolean => DAMAGE.has((error as NodeJS.ErrnoException).code ?? '');
