import { withContext } from '../../src/common/async-context';
import type { DatabaseUse } from '../../src/common/database/database-scope';
import { useDatabaseAs } from '../../src/common/database/database-use';

/** Runs `work`; all its statements are for that user and within these limits. */
export function withDatabaseUse<T>(use: DatabaseUse, work: () => T): T {
  return withContext({}, () => {
    useDatabaseAs(use);
    return work();
  });
}
