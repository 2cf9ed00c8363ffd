import type { LockOptions } from '../common/redis/redis-lock';

/** What one caller at a time does with an account's index: follow history, index the newest messages, or fetch. */
export type IndexWork = 'history' | 'newest' | 'fetching';

/**
 * One caller at a time, over all processes, so that nobody asks the provider for what another is being answered. It
 * only saves calls: the compare-and-set on the stored cursor keeps rows right.
 */
export const INDEX_LOCK: LockOptions = { heldMs: 9_000, renew: true };

/** Names the lock of an account for this kind of work. */
export function indexLockKey(accountId: string, work: IndexWork): string[] {
  return ['lock', 'message-index', ...(work === 'history' ? [] : [work]), accountId];
}
