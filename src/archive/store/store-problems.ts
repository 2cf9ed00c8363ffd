import { ApiProblems } from '../../common/openapi/api-problems';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
  ObjectMissing,
} from './archive-store.errors';

/** Declares what may go wrong with the file of an archived mail, for routes that read it. */
export const StoreProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(
    new ObjectMissing(),
    new ArchiveStoreRefused('the secret access key is wrong'),
    new ArchiveStoreUnknown('objstore'),
    new ArchiveStoreUnavailable('it refuses connections'),
  );
