import { Injectable, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { createHash } from 'node:crypto';
import { AppConfig } from '../../../../config/app-config';
import { isDependencyAway } from '../../../../common/http/problems/dependency-away';
import { RedisService } from '../../../../common/redis/redis.service';
import { abortable, sleep } from '../flow/abortable';
import type { CallPriority } from '../../mailbox-provider.port';
import { ProviderUnavailable } from '../../provider-errors';
import { comfortableUnits, QuotaLimits, quotaLimits } from './quota-limits';
import { QuotaCredit } from './quota-credit';
import { PAUSE_ACCOUNT, TAKE_UNITS } from './quota-scripts';

/** A background call that has been passed over for so long is treated like an interactive one. */
const STARVED_AFTER_MS = 5_000;
/** Background calls book at most so far ahead: what is booked, an interactive call queues behind. */
const BACKGROUND_HORIZON_MS = 1_000;

/** How long background calls wait for Redis; afterwards their job says what is away, and goes on later. */
const REDIS_PATIENCE_MS = 60_000;
const REDIS_RETRY_MS = 500;

export type TakeResult = { readonly status: 'granted' | 'later' | 'paused'; readonly waitMs: number };

interface Script {
  readonly source: string;
  readonly sha: string;
}

const script = (source: string): Script => ({
  source,
  sha: createHash('sha1').update(source).digest('hex'),
});

const TAKE = script(TAKE_UNITS);
const PAUSE = script(PAUSE_ACCOUNT);
const STATUS = ['later', 'granted', 'paused'] as const;

/** The account's quota, shared by all processes through Redis. */
@Injectable()
export class QuotaBucket {
  private readonly logger = new Logger(QuotaBucket.name);
  private readonly limits: QuotaLimits;
  private readonly credit: QuotaCredit;

  constructor(
    private readonly redis: RedisService,
    config: AppConfig,
  ) {
    this.limits = quotaLimits(config.provider);
    this.credit = new QuotaCredit(this.limits.reserve);
  }

  /** Most units one call should need; larger ones are let through, but make everybody else wait. */
  get comfortableUnits(): number {
    return comfortableUnits(this.limits);
  }

  /**
   * Books `units` for a call that may start after `waitMs`, unless that is longer than `longestWaitMs`.
   * @throws ProviderUnavailable when Redis is away: without it there is no knowing what others have spent
   */
  async take(
    accountId: string,
    units: number,
    priority: CallPriority,
    longestWaitMs: number,
  ): Promise<TakeResult> {
    try {
      return await this.book(accountId, units, priority, longestWaitMs, 0);
    } catch (error) {
      throw isDependencyAway(error) ? new ProviderUnavailable(error) : error;
    }
  }

  /**
   * Books `units` for a call that may start after `waitMs`; when that is not soon, says after how long to ask again.
   * @param waitedMs how long the call has been asking
   * @throws the signal's reason when it aborts first; Redis's error when that stays away
   */
  async takeInBackground(
    accountId: string,
    units: number,
    waitedMs: number,
    signal: AbortSignal | undefined,
  ): Promise<TakeResult> {
    if (this.credit.spend(accountId, units, Date.now())) return { status: 'granted', waitMs: 0 };
    const booked = this.credit.toBook(accountId, units);
    const taken = await this.patiently(signal, () =>
      this.book(accountId, booked, 'background', BACKGROUND_HORIZON_MS, waitedMs),
    );
    this.credit.onBooked(
      accountId,
      taken.status === 'granted' ? booked - units : 0,
      taken.waitMs,
      Date.now(),
    );
    if (taken.status !== 'later') return taken;
    // Early enough to book before the units are there, seldom enough not to be polling.
    return {
      status: 'later',
      waitMs: Math.min(taken.waitMs - BACKGROUND_HORIZON_MS / 2, STARVED_AFTER_MS),
    };
  }

  /** Stops the account's calls in every process. @returns how long it is paused now, milliseconds */
  async pause(accountId: string, ms: number): Promise<number> {
    return (await this.run(
      PAUSE,
      [this.bucketKey(accountId), this.pauseKey(accountId)],
      [Math.ceil(ms)],
    )) as number;
  }

  /** @param waitedMs how long this call has been trying */
  private async book(
    accountId: string,
    units: number,
    priority: CallPriority,
    longestWaitMs: number,
    waitedMs: number,
  ): Promise<TakeResult> {
    const background = priority === 'background' && waitedMs < STARVED_AFTER_MS;
    const { limits } = this;
    const [status, waitMs] = (await this.run(
      TAKE,
      [this.bucketKey(accountId), this.key(accountId, 'window'), this.pauseKey(accountId)],
      [
        units,
        background ? 1 : 0,
        limits.ratePerSecond,
        limits.burst,
        limits.reserve,
        limits.perMinute,
        limits.pacePerSecond,
        limits.paceBurst,
        Math.max(0, longestWaitMs),
      ],
    )) as [number, number];
    return { status: STATUS[status]!, waitMs };
  }

  /** Asks again while Redis is away; what it did without our hearing of it is booked twice, which only slows us. */
  private async patiently<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    const end = Date.now() + REDIS_PATIENCE_MS;
    for (;;) {
      try {
        return await abortable(ask(), signal);
      } catch (error) {
        // `end`: closed by ourselves, since the process is stopping.
        const closed = this.redis.client.status === 'end';
        if (signal?.aborted || closed || !isDependencyAway(error) || Date.now() >= end) throw error;
        this.logger.warn(`Waiting to book provider quota: ${String(error)}`);
        await sleep(REDIS_RETRY_MS, signal);
      }
    }
  }

  private bucketKey(accountId: string): string {
    return this.key(accountId, 'bucket');
  }

  private pauseKey(accountId: string): string {
    return this.key(accountId, 'pause');
  }

  /** In braces: one account's keys must share a slot should Redis be a cluster. */
  private key(accountId: string, part: string): string {
    return this.redis.key('provider', `{${accountId}}`, part);
  }

  private async run({ source, sha }: Script, keys: string[], values: readonly number[]): Promise<unknown> {
    const client: Redis = this.redis.client;
    try {
      return await client.evalsha(sha, keys.length, ...keys, ...values);
    } catch (error) {
      // A restarted server has forgotten its scripts.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(source, keys.length, ...keys, ...values);
    }
  }
}
