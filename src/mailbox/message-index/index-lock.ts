import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisService } from '../../common/redis/redis.service';

/** A lock that runs out costs a call made twice, never a wrong row; while its holder lives it is renewed. */
const LOCK_MS = 9_000;
const RENEW_MS = 3_000;
const POLL_MS = 20;

const RELEASE_OWN = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;
const RENEW_OWN = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;

/** What one caller at a time does: follow history, index the newest messages, or fetch for whichever reason. */
export type IndexWork = 'history' | 'newest' | 'fetching';

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  readonly work?: IndexWork;
  /** Go ahead without the lock when it takes longer. */
  readonly atMostMs?: number;
}

/**
 * Lets one caller at a time work on an account's index, over all processes, so that nobody asks the provider
 * what another is being told. It only saves calls: the compare-and-set on the stored cursor keeps rows right.
 */
@Injectable()
export class IndexLock {
  private readonly tails = new Map<string, Promise<void>>();

  constructor(private readonly redis: RedisService) {}

  /** Runs `task` once nobody else holds the account's lock for this kind of work. */
  async exclusive<T>(accountId: string, task: () => Promise<T>, options: LockOptions = {}): Promise<T> {
    const { signal, work = 'history', atMostMs = Infinity } = options;
    const key = this.redis.key('lock', 'message-index', ...(work === 'history' ? [] : [work]), accountId);
    const deadline = performance.now() + atMostMs;
    const before = this.tails.get(key) ?? Promise.resolve();
    let leave!: () => void;
    const own = new Promise<void>((resolve) => (leave = resolve));
    const tail = before.then(() => own);
    this.tails.set(key, tail);
    try {
      await (atMostMs === Infinity
        ? before
        : Promise.race([before, delay(atMostMs, undefined, { ref: false })]));
      signal?.throwIfAborted();
      return await this.acrossProcesses(key, task, deadline, signal);
    } finally {
      leave();
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }

  private async acrossProcesses<T>(
    key: string,
    task: () => Promise<T>,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { client } = this.redis;
    const token = randomUUID();
    while ((await client.set(key, token, 'PX', LOCK_MS, 'NX')) === null) {
      if (performance.now() > deadline) return task();
      await delay(POLL_MS, undefined, { signal });
    }
    // A renewal that fails leaves the lock to run out.
    const renewing = setInterval(
      () => void client.eval(RENEW_OWN, 1, key, token, LOCK_MS).catch(() => undefined),
      RENEW_MS,
    );
    try {
      return await task();
    } finally {
      clearInterval(renewing);
      await client.eval(RELEASE_OWN, 1, key, token);
    }
  }
}
