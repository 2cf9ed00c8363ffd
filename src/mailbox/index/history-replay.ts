import { Injectable } from '@nestjs/common';
import { RedisLock } from '../../platform/redis/redis-lock';
import type { CallOptions, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { CursorInvalid } from '../../providers/port/mail-provider.errors';
import { Advance, HistoryFollower } from './history-follower';
import { INDEX_LOCK, indexLockKey } from './index-locks';

/** How often it is tried while others move the cursor. */
const ATTEMPTS = 3;

/**
 * Following history costs next to nothing, and while one caller holds the lock readers wait for it: it neither
 * queues behind bulk work nor waits for long.
 */
export const PROMPT: CallOptions = { priority: 'interactive' };

/** Where a replay starts. */
export interface ReplayFrom {
  readonly cursor: string;
  /** When given, nothing is written if coverage was lost since. */
  readonly epoch?: number;
}

/** Writes rows learnt after an earlier cursor without overwriting later changes. */
@Injectable()
export class HistoryReplay {
  constructor(
    private readonly follower: HistoryFollower,
    private readonly lock: RedisLock,
  ) {}

  /**
   * Writes, then replays the history since `from` on top.
   * @returns false when nothing was written: history since then is lost, or others were always faster
   */
  onTopOf(
    account: ProviderAccount,
    from: ReplayFrom,
    write: Pick<Advance, 'fetched' | 'before' | 'after'>,
  ): Promise<boolean> {
    const replay = async (): Promise<boolean> => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const state = await this.follower.begin(account, PROMPT);
        if (from.epoch !== undefined && state.epoch !== from.epoch) return false;
        try {
          if (await this.follower.advance(account, { ...write, from: from.cursor, state }, PROMPT)) {
            return true;
          }
        } catch (error) {
          if (!(error instanceof CursorInvalid)) throw error;
          return false;
        }
      }
      return false;
    };
    return this.lock.run(indexLockKey(account.id, 'history'), replay, INDEX_LOCK);
  }
}
