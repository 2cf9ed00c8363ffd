import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { isDependencyUnavailable } from '../../common/system-errors';
import { RedisService } from '../../common/redis/redis.service';
import { sleep } from '../../common/concurrency/abortable';

/** Longer than a token request may take, so that the lock outlives its owner only after a crash. */
const HELD_MS = 30_000;
const RETRY_MS = 50;

const RELEASE_IF_MINE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Lets one process at a time refresh an account's tokens. It saves needless refreshes, it does not guard anything:
 * two at once are harmless, so nobody is kept from one for long.
 */
@Injectable()
export class RefreshLock {
  private readonly logger = new Logger(RefreshLock.name);

  constructor(private readonly redis: RedisService) {}

  /**
   * Runs `work` alone among all processes; waits for its turn, but no longer than the lock can be held, and not for
   * a Redis that is away.
   */
  async hold<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const key = this.redis.key('provider', `{${accountId}}`, 'refresh');
    const owner = randomUUID();
    const turn = await this.waitForTurn(key, owner);
    // What was asked of a stalled server may still be done when it goes on; no reason to wait for that.
    if (turn === 'away') void this.release(key, owner);
    try {
      return await work();
    } finally {
      if (turn === 'ours') await this.release(key, owner);
    }
  }

  private async waitForTurn(key: string, owner: string): Promise<'ours' | 'taken' | 'away'> {
    const end = Date.now() + HELD_MS;
    try {
      while ((await this.redis.client.set(key, owner, 'PX', HELD_MS, 'NX')) !== 'OK') {
        if (Date.now() >= end) {
          this.logger.warn('A token refresh elsewhere takes too long; refreshing without waiting for it');
          return 'taken';
        }
        await sleep(RETRY_MS);
      }
      return 'ours';
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      this.logger.warn(`Refreshing a token without the lock: ${String(error)}`);
      return 'away';
    }
  }

  private async release(key: string, owner: string): Promise<void> {
    try {
      await this.redis.client.eval(RELEASE_IF_MINE, 1, key, owner);
    } catch (error) {
      // It expires by itself; the refresh has succeeded all the same.
      this.logger.warn(`Could not give back the refresh lock: ${String(error)}`);
    }
  }
}
