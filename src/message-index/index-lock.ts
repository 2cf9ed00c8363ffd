import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDependencyUnavailable } from '../common/system-errors';
import { RedisService } from '../common/redis/redis.service';

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
 * what another is being told. It only saves calls, and is done without while Redis is away: the compare-and-set on the
 * stored cursor keeps rows right.
 */
@Injectable()
export class IndexLock {
  private readonly logger = new Logger(IndexLock.name);
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
    const token = randomUUID();
    const turn = await this.waitForTurn(key, token, deadline, signal);
    // What was asked of a stalled server may still be done when it goes on; no reason to wait for that.
    if (turn === 'away') void this.release(key, token);
    if (turn !== 'ours') return task();
    // A renewal that fails leaves the lock to run out.
    const renewing = setInterval(
      () => void this.redis.client.eval(RENEW_OWN, 1, key, token, LOCK_MS).catch(() => undefined),
      RENEW_MS,
    );
    try {
      return await task();
    } finally {
      clearInterval(renewing);
      await this.release(key, token);
    }
  }

  /** `taken`: for as long as this caller can wait; `away`: Redis does not answer, and nobody knows who holds it. */
  private async waitForTurn(
    key: string,
    token: string,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<'ours' | 'taken' | 'away'> {
    try {
      while ((await this.redis.client.set(key, token, 'PX', LOCK_MS, 'NX')) === null) {
        if (performance.now() > deadline) return 'taken';
        await delay(POLL_MS, undefined, { signal });
      }
      return 'ours';
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      this.logger.warn(`Working on an index without the lock: ${String(error)}`);
      return 'away';
    }
  }

  private async release(key: string, token: string): Promise<void> {
    try {
      await this.redis.client.eval(RELEASE_OWN, 1, key, token);
    } catch (error) {
      // It runs out by itself; what was done under it is done all the same.
      this.logger.warn(`Could not give back the lock of an index: ${String(error)}`);
    }
  }
}
