import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisService } from '../../common/redis/redis.service';

/** Longer than following history usually takes. A lock that runs out costs a call made twice, never a wrong row. */
const LOCK_MS = 30_000;
const POLL_MS = 20;

const RELEASE_OWN = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/**
 * Lets one caller at a time follow an account's history, over all processes, so that nobody asks the provider
 * what another is being told. It only saves calls: the compare-and-set on the stored cursor keeps rows right.
 */
@Injectable()
export class IndexLock {
  private readonly tails = new Map<string, Promise<void>>();

  constructor(private readonly redis: RedisService) {}

  /** Runs `work` once nobody else holds the account's lock. */
  async exclusive<T>(
    accountId: string,
    work: () => Promise<T>,
    signal: AbortSignal | undefined = undefined,
  ): Promise<T> {
    const before = this.tails.get(accountId) ?? Promise.resolve();
    let leave!: () => void;
    const own = new Promise<void>((resolve) => (leave = resolve));
    const tail = before.then(() => own);
    this.tails.set(accountId, tail);
    try {
      await before;
      signal?.throwIfAborted();
      return await this.acrossProcesses(accountId, work, signal);
    } finally {
      leave();
      if (this.tails.get(accountId) === tail) this.tails.delete(accountId);
    }
  }

  private async acrossProcesses<T>(
    accountId: string,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const key = this.redis.key('lock', 'message-index', accountId);
    const token = randomUUID();
    while ((await this.redis.client.set(key, token, 'PX', LOCK_MS, 'NX')) === null) {
      await delay(POLL_MS, undefined, { signal });
    }
    try {
      return await work();
    } finally {
      await this.redis.client.eval(RELEASE_OWN, 1, key, token);
    }
  }
}
