import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../../platform/redis/redis.service';
import { isDependencyUnavailable } from '../../../platform/logging/system-errors';

/** Lifetime of a watch whose process died, in milliseconds. A live process renews it more often. */
const LEASE_MS = 24_000;
export const RENEW_WATCH_MS = 8_000;
/** Interval at which a mailbox is polled in spite of a watch, in milliseconds, since servers may miss a notification. */
const QUIET_MS = 15 * 60_000;

/** Renews a watch. KEYS: watch. ARGV: token, lease in ms. The scripts below take the same. */
const RENEW = `
if redis.call('hget', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[2])`;
const CLAIM = `
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('hset', KEYS[1], 'token', ARGV[1], 'changes', '0', 'isWhole', '')
return redis.call('pexpire', KEYS[1], ARGV[2])`;
const CHANGE = `
if redis.call('hget', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('hincrby', KEYS[1], 'changes', 1)`;
const BEGIN = `
if redis.call('hget', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('hset', KEYS[1], 'isWhole', ARGV[3])
return redis.call('hincrby', KEYS[1], 'changes', 1)`;
const END = `
if redis.call('hget', KEYS[1], 'token') == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`;

/** The watch of an account while this process holds it. */
export interface WatchLease {
  /** @returns false when it has expired meanwhile */
  renew(): Promise<boolean>;
  /** Records that the server reports changes from now on. @param isWhole whether it reports those of all folders */
  begin(isWhole: boolean): Promise<void>;
  change(): Promise<void>;
  end(): Promise<void>;
}

/**
 * States of watches over all processes: the process that watches an account, and whether the mailbox has changed since
 * the last sync.
 */
@Injectable()
export class ImapWatchStates {
  private readonly logger = new Logger(ImapWatchStates.name);

  constructor(private readonly redis: RedisService) {}

  /** @returns null while another process watches the account */
  async claim(accountId: string): Promise<WatchLease | null> {
    const token = randomUUID();
    const run = async (script: string, ...more: (string | number)[]): Promise<number> =>
      (await this.redis.client.eval(script, 1, this.watchKey(accountId), token, ...more)) as number;
    if ((await run(CLAIM, LEASE_MS)) === 0) return null;
    return {
      renew: async () => (await run(RENEW, LEASE_MS)) === 1,
      begin: async (isWhole) => void (await run(BEGIN, LEASE_MS, isWhole ? 'yes' : '')),
      change: async () => void (await run(CHANGE)),
      end: async () => void (await run(END)),
    };
  }

  /**
   * Returns the state that a sync of the mailbox that begins now will cover; null without a watch of all folders. It is
   * passed to `recordSync` when the sync has succeeded.
   */
  async getWatchState(accountId: string): Promise<string | null> {
    return this.nullWithoutRedis(async () => {
      const [token, changes, isWhole] = await this.redis.client.hmget(
        this.watchKey(accountId),
        'token',
        'changes',
        'isWhole',
      );
      return token && isWhole ? `${token}:${changes}` : null;
    });
  }

  async recordSync(accountId: string, seen: string | null): Promise<void> {
    if (seen === null) return;
    await this.nullWithoutRedis(() =>
      this.redis.client.set(this.seenKey(accountId), seen, 'PX', QUIET_MS).then(() => null),
    );
  }

  /** Whether a watch of all folders has reported no change since the last sync began. */
  async isQuiet(accountId: string): Promise<boolean> {
    const seen = await this.nullWithoutRedis(() => this.redis.client.get(this.seenKey(accountId)));
    return seen !== null && seen === (await this.getWatchState(accountId));
  }

  /** Runs `ask`; null without Redis, so that mailboxes are polled. */
  private async nullWithoutRedis<T>(ask: () => Promise<T | null>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      this.logger.debug(`Could not read the states of watches: ${String(error)}`);
      return null;
    }
  }

  private watchKey(accountId: string): string {
    return this.redis.key('imap', `{${accountId}}`, 'watch');
  }

  private seenKey(accountId: string): string {
    return this.redis.key('imap', `{${accountId}}`, 'seen');
  }
}
