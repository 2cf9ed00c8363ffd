import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom statements run, and what they may take. */
export interface DatabaseUse {
  readonly userId: string;
  /** The longest one statement may take. */
  readonly statementMs: number;
  /** What one counts of the user's share of the connections: more than one, if it keeps a processor busy as well. */
  readonly weight: number;
  /** The longest one may wait until fewer connections are in use for the user. */
  readonly turnMs: number;
  /** Ends that wait. */
  readonly turnSignal?: AbortSignal;
  /** Ends a statement that runs: only for work that nobody else waits for. */
  readonly signal?: AbortSignal;
}

interface Scope {
  readonly use: DatabaseUse;
  /** Whether a connection is in use already: what waits for another one while it holds one could wait for itself. */
  readonly isInTransaction: boolean;
}

const storage = new AsyncLocalStorage<Scope>();

/** Runs `work`; all its statements are for that user and within these limits. */
export function withDatabaseUse<T>(use: DatabaseUse, work: () => T): T {
  return storage.run({ use, isInTransaction: false }, work);
}

/** Runs the work of an open transaction. */
export function inTransaction<T>(work: () => T): T {
  const scope = storage.getStore();
  return scope ? storage.run({ ...scope, isInTransaction: true }, work) : work();
}

/** Runs work that is done whether or not the client is still there. */
export function withoutClient<T>(work: () => T): T {
  const scope = storage.getStore();
  if (!scope) return work();
  const use = { ...scope.use, turnSignal: undefined, signal: undefined };
  return storage.run({ ...scope, use }, work);
}

/** Undefined in jobs and schedules, and before it is known who a request is from. */
export const currentDatabaseUse = (): Scope | undefined => storage.getStore();
