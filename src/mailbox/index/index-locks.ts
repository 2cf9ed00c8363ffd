import type { LockOptions } from '../../platform/redis/redis-lock';

/** Work on an account's index that one caller does at a time: follow history, index the newest messages, or fetch. */
export type IndexWork = 'history' | 'newest' | 'fetching';

/**
 * One caller at a time, over all processes, so that no call to the provider is made twice. It only saves calls: the
 * compare-and-set on the stored cursor keeps rows right.
 */
export const INDEX_LOCK: LockOptions = { heldMs: 9_000, renew: true };

/** Names the lock of an account for this kind of work. */
export function indexLockKey(accountId: string, work: IndexWork): string[] {
  return ['lock', 'message-index', ...(work === 'history' ? [] : [work]), accountId];
}
