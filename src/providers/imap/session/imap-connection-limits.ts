import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../../platform/redis/redis.service';
import { ImapSyncTimings } from '../sync/imap-sync-timings';

/** Lifetime of an account's leases in Redis after the last one was taken or renewed, in milliseconds. */
const REMEMBERED_MS = 180_000;
/** Time for which one connection less is opened after the server refused one, in milliseconds. */
const FEWER_MS = 60 * 60_000;

/** Takes a lease unless the limit is reached. KEYS: leases, refusals, pace. ARGV: now, until, most, id, pace, least. */
const TAKE = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
local most = tonumber(ARGV[3]) - tonumber(redis.call('get', KEYS[2]) or '0')
if most < 1 then most = 1 end
if most < tonumber(ARGV[6]) then return -1 end
if redis.call('zcard', KEYS[1]) >= most then return -1 end
local wait = redis.call('pttl', KEYS[3])
if wait > 0 then return wait end
redis.call('set', KEYS[3], '1', 'PX', ARGV[5])
redis.call('zadd', KEYS[1], ARGV[2], ARGV[4])
redis.call('pexpire', KEYS[1], ${REMEMBERED_MS})
return 0`;

const REFUSED = `
local fewer = redis.call('incr', KEYS[1])
if fewer > 4 then redis.call('set', KEYS[1], '4') end
redis.call('pexpire', KEYS[1], ARGV[1])
return fewer`;

export interface ConnectionLease {
  renew(): Promise<void>;
  release(): Promise<void>;
}

export type TakenLease = ConnectionLease | { readonly waitMs: number } | 'full';

/** Connections that an account must be allowed before a watch may use one: one each is left to people and to jobs. */
export const LEAST_FOR_WATCH = 3;

/** Limits the open connections of an account over all processes. Servers refuse or lock out clients with too many. */
@Injectable()
export class ImapConnectionLimits {
  constructor(
    private readonly redis: RedisService,
    private readonly timings: ImapSyncTimings,
  ) {}

  /**
   * @param least connections that the account must be allowed, after those that were refused recently are deducted
   * @returns the lease; the time after which to ask again; or `full` when the limit is reached
   */
  async take(accountId: string, most: number, least = 1): Promise<TakenLease> {
    const id = randomUUID();
    const now = Date.now();
    const waitMs = (await this.redis.client.eval(
      TAKE,
      3,
      this.key(accountId, 'connections'),
      this.key(accountId, 'refused'),
      this.key(accountId, 'pace'),
      now,
      now + this.timings.connectionLeaseMs,
      most,
      id,
      this.timings.connectionPaceMs,
      least,
    )) as number;
    if (waitMs < 0) return 'full';
    if (waitMs > 0) return { waitMs };
    const key = this.key(accountId, 'connections');
    return {
      renew: async () => {
        await this.redis.client.zadd(key, Date.now() + this.timings.connectionLeaseMs, id);
        await this.redis.client.pexpire(key, REMEMBERED_MS);
      },
      release: async () => {
        await this.redis.client.zrem(key, id);
      },
    };
  }

  /** Records that the server refused a connection because there are too many. For an hour one less is opened. */
  async recordRefusal(accountId: string): Promise<void> {
    await this.redis.client.eval(REFUSED, 1, this.key(accountId, 'refused'), FEWER_MS);
  }

  /** Whether an account that may have `most` connections, less those refused recently, may use one for a watch. */
  async allowsWatch(accountId: string, most: number): Promise<boolean> {
    const refused = Number((await this.redis.client.get(this.key(accountId, 'refused'))) ?? 0);
    return most - refused >= LEAST_FOR_WATCH;
  }

  private key(accountId: string, part: string): string {
    return this.redis.key('imap', `{${accountId}}`, part);
  }
}
