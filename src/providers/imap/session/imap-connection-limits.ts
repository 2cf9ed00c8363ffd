import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../../platform/redis/redis.service';
import { ImapSyncTimings } from '../sync/imap-sync-timings';

/** How long the leases of an account are remembered after the last of them was taken or renewed. */
const REMEMBERED_MS = 180_000;
/** How long one connection less is opened after the server has refused one. */
const FEWER_MS = 60 * 60_000;
/** At most one new connection for an account in this time, over all processes. */
const PACE_MS = 2_000;

/** Takes a lease if there is room: KEYS leases, refusals, pace; ARGV now, until, most, id, pace, least. */
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

/** Connections an account needs for one of them to be kept by a watch: people and jobs have one each. */
export const LEAST_FOR_WATCH = 3;

/** How many connections an account has open, over all processes: servers count them and refuse or lock out who has too many. */
@Injectable()
export class ImapConnectionLimits {
  constructor(
    private readonly redis: RedisService,
    private readonly timings: ImapSyncTimings,
  ) {}

  /**
   * @param least connections that the account must be allowed, without those that were refused lately
   * @returns the lease; after how long to ask again; or that there are enough connections already
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
      PACE_MS,
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

  /** The server has refused a connection because there are too many: one less for an hour. */
  async refused(accountId: string): Promise<void> {
    await this.redis.client.eval(REFUSED, 1, this.key(accountId, 'refused'), FEWER_MS);
  }

  /** Whether an account that may have `most` connections has one to spare for a watch, after what was refused lately. */
  async allowsWatch(accountId: string, most: number): Promise<boolean> {
    const refused = Number((await this.redis.client.get(this.key(accountId, 'refused'))) ?? 0);
    return most - refused >= LEAST_FOR_WATCH;
  }

  private key(accountId: string, part: string): string {
    return this.redis.key('imap', `{${accountId}}`, part);
  }
}
