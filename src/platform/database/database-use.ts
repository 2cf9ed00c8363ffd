import { asyncContext, withContext } from '../context/async-context';
import { isStatementTimeout } from '../logging/system-errors';
import { QueryTooExpensive } from './database.errors';
import type { DatabaseScope, DatabaseUse } from '../context/database-scope';

/** Runs all further statements of the present request for that user and within these limits. */
export function useDatabaseAs(use: DatabaseUse): void {
  const context = asyncContext.getStore();
  if (context) context.database = { use, isInTransaction: false };
}

/**
 * Translates an error for the user whom the failed work was for: a list is given up when the client has gone, and is too
 * expensive when it takes too long.
 */
export function asUserSeesIt(error: unknown): unknown {
  const signal = currentDatabaseUse()?.use.signal;
  if (!signal) return error;
  if (signal.aborted) return signal.reason;
  return isStatementTimeout(error) ? new QueryTooExpensive(error) : error;
}

/** Runs the work of an open transaction. */
export function runInTransaction<T>(work: () => T): T {
  const { database: scope, background } = asyncContext.getStore() ?? {};
  if (!scope && !background) return work();
  const database = scope && { ...scope, isInTransaction: true };
  return withContext({ database, background: undefined }, work);
}

/** Runs work that is done whether or not the client is still there. */
export function runWithoutClient<T>(work: () => T): T {
  const scope = currentDatabaseUse();
  if (!scope) return work();
  const use = { ...scope.use, turnSignal: undefined, signal: undefined };
  return withContext({ database: { ...scope, use } }, work);
}

/** Undefined in jobs and schedules, and before it is known who a request is from. */
export const currentDatabaseUse = (): DatabaseScope | undefined => asyncContext.getStore()?.database;
