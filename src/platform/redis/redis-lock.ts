import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { sleep } from '../concurrency/abortable';
import { KeyedQueue } from '../concurrency/keyed-queue';
import { isDependencyUnavailable } from '../logging/system-errors';
import { RedisService } from './redis.service';
import { setInterval } from '../concurrency/timers';

const POLL_MS = 25;
/** Renewals in the life of a lock. */
const RENEWALS = 3;

const DELETE_OWN = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;
const RENEW_OWN = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;

export interface LockOptions {
  /** Time for which the lock outlives a holder that died, in milliseconds. */
  readonly heldMs: number;
  /** Extends the lock while the work runs. Without it the lock ends after `heldMs`, whether the work is done or not. */
  readonly renew?: boolean;
  /** Goes ahead without the lock after this time; default: no limit. */
  readonly waitMs?: number;
  /** Ends the wait; work that has begun is its own matter. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lets one caller at a time work on something, over all processes. It saves work and guards nothing: without Redis,
 * after `waitMs`, or when the lock runs out, two may work at once, so the work must be harmless to do twice.
 * See ADR 37.
 */
@Injectable()
export class RedisLock {
  private readonly logger = new Logger(RedisLock.name);
  private readonly turns = new KeyedQueue();

  constructor(private readonly redis: RedisService) {}

  /**
   * @param key names the lock, e.g. `['lock', 'message-index', accountId]`
   * @throws what the work throws; the signal's reason when it aborts while the work waits
   */
  run<T>(key: readonly string[], work: () => Promise<T>, options: LockOptions): Promise<T> {
    const name = this.redis.key(...key);
    const deadline = performance.now() + (options.waitMs ?? Infinity);
    // One caller per process asks Redis; the others wait for it, not for the server.
    return this.turns.run(name, () => this.runHoldingLock(name, work, deadline, options), options);
  }

  private async runHoldingLock<T>(
    name: string,
    work: () => Promise<T>,
    deadline: number,
    { heldMs, renew, signal }: LockOptions,
  ): Promise<T> {
    const token = randomUUID();
    const state = await this.acquire(name, token, heldMs, deadline, signal);
    // A stalled server may still set the key when it goes on. Nothing waits for the answer.
    if (state === 'unavailable') void this.release(name, token);
    if (state !== 'acquired') return work();
    // A renewal that fails leaves the lock to run out.
    const extend = (): void =>
      void this.redis.client.eval(RENEW_OWN, 1, name, token, heldMs).catch(() => undefined);
    const renewing = renew ? setInterval(extend, heldMs / RENEWALS) : undefined;
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.release(name, token);
    }
  }

  private async acquire(
    name: string,
    token: string,
    heldMs: number,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<'acquired' | 'taken' | 'unavailable'> {
    try {
      while ((await this.redis.client.set(name, token, 'PX', heldMs, 'NX')) === null) {
        if (performance.now() >= deadline) {
          this.logger.debug(`Going ahead without the lock ${name}: another process still holds it`);
          return 'taken';
        }
        await sleep(POLL_MS, signal);
      }
      return 'acquired';
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      this.logger.warn(`Going ahead without the lock ${name}: ${String(error)}`);
      return 'unavailable';
    }
  }

  private async release(name: string, token: string): Promise<void> {
    try {
      await this.redis.client.eval(DELETE_OWN, 1, name, token);
    } catch (error) {
      // It runs out by itself, and the work is done all the same.
      this.logger.warn(`Could not release the lock ${name}: ${String(error)}`);
    }
  }
}
