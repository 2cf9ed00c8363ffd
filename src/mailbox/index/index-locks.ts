import type { LockOptions } from '../../platform/redis/redis-lock';

/**
 * Work on an account's index that only one caller does at a time: following history, indexing the newest messages, or
 * fetching.
 */
export type IndexWork = 'history' | 'newest' | 'fetching';

/**
 * Options of the locks that admit one caller at a time, over all processes. They only save calls to the provider; the
 * compare-and-set on the stored cursor keeps rows right.
 */
export const INDEX_LOCK: LockOptions = { heldMs: 9_000, renew: true };

/** Returns the name of an account's lock for this kind of work. */
export function indexLockKey(accountId: string, work: IndexWork): string[] {
  return ['lock', 'message-index', ...(work === 'history' ? [] : [work]), accountId];
}
