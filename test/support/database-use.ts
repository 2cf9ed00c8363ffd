import { withContext } from '../../src/platform/context/async-context';
import type { DatabaseUse } from '../../src/platform/context/database-scope';
import { useDatabaseAs } from '../../src/platform/database/database-use';

/** Runs `work`; all its statements are for that user and within these limits. */
export function withDatabaseUse<T>(use: DatabaseUse, work: () => T): T {
  return withContext({}, () => {
    useDatabaseAs(use);
    return work();
  });
}
