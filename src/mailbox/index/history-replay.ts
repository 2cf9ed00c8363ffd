import { Injectable } from '@nestjs/common';
import { RedisLock } from '../../platform/redis/redis-lock';
import type { CallOptions, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { CursorInvalid } from '../../providers/port/mail-provider.errors';
import { Advance, HistoryFollower } from './history-follower';
import { INDEX_LOCK, indexLockKey } from './index-locks';

/** Attempts while other processes move the cursor. */
const ATTEMPTS = 3;

/**
 * Options of calls that follow the history. They cost little, and readers wait for the lock meanwhile, so such a call
 * must neither queue behind bulk work nor wait for long.
 */
export const PROMPT: CallOptions = { priority: 'interactive' };

/** Start of a replay. */
export interface ReplayFrom {
  readonly cursor: string;
  /** Epoch of the coverage; when given, nothing is written if coverage was lost since. */
  readonly epoch?: number;
}

/** Writes data learnt after an earlier cursor without overwriting later changes. */
@Injectable()
export class HistoryReplay {
  constructor(
    private readonly follower: HistoryFollower,
    private readonly lock: RedisLock,
  ) {}

  /**
   * Writes data, then replays the history since `from` on top of it.
   * @returns false when nothing was written, because the history since then is lost or other processes were always
   *   faster
   */
  replayOver(
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
