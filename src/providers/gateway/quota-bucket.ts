import { Injectable, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { createHash } from 'node:crypto';
import { abortable, sleep } from '../../platform/concurrency/abortable';
import { RedisService } from '../../platform/redis/redis.service';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { AppConfig } from '../../platform/config/app-config';
import { ProviderUnavailable } from '../port/mail-provider.errors';
import type { CallPriority, ProviderAccount } from '../port/mailbox-provider.port';
import { limitsOf } from '../port/provider-limits';
import { DEBIT_UNITS, PAUSE_ACCOUNT, TAKE_UNITS } from './quota-scripts';

/** Parameters of one account's buckets, in units and units per second. */
export interface QuotaLimits {
  /** Refill rate of the bucket for the per-second limit. */
  readonly ratePerSecond: number;
  /** Capacity of that bucket. */
  readonly burst: number;
  /** Units that background calls leave in the bucket, so that an interactive call need not queue behind them. */
  readonly reserve: number;
  /** Hard cap over any 60 seconds. */
  readonly perMinute: number;
  /** Rate of background calls, just below the per-minute limit. */
  readonly pacePerSecond: number;
  readonly paceBurst: number;
}

/**
 * Share of a second's units that the bucket holds. The rest, a fifth, allows for calls that arrive at the provider
 * closer together than they left.
 */
const BURST_SHARE = 0.8;
const RESERVE_SHARE = 0.1;
/**
 * Shares of the per-minute limit for pace and burst. Their sum keeps within the limit over any 61 seconds, the worst
 * case of the window.
 */
const PACE_SHARE = 0.965;
const PACE_BURST_SHARE = 0.018;

/** Computes the buckets that keep an account within its provider's limits and use at least 95 % of them. */
export function quotaLimits(config: { unitsPerSecond: number; unitsPerMinute: number }): QuotaLimits {
  return {
    ratePerSecond: config.unitsPerSecond,
    burst: Math.max(1, config.unitsPerSecond * BURST_SHARE),
    reserve: config.unitsPerSecond * RESERVE_SHARE,
    perMinute: config.unitsPerMinute,
    pacePerSecond: (config.unitsPerMinute / 60) * PACE_SHARE,
    paceBurst: Math.max(1, config.unitsPerMinute * PACE_BURST_SHARE),
  };
}

/** Largest number of units that one call should book at once: what the buckets hold, and refill in a second. */
export function comfortableUnits(limits: QuotaLimits): number {
  return Math.max(1, Math.min(limits.burst, limits.paceBurst, limits.pacePerSecond));
}

/**
 * Time for which booked units may be spent, in milliseconds. It is no longer than a call takes to reach the provider,
 * since units must be spent about when they are booked.
 */
const GOOD_FOR_MS = 100;
const MAX_CALLS = 16;
const MAX_ACCOUNTS = 1_000;

interface Credit {
  units: number;
  /** Epoch milliseconds. */
  until: number;
  /** Number of calls for which to book units next time. */
  calls: number;
}

/**
 * Units that this process has booked in advance, by account. While quota is plentiful, one request to Redis serves many
 * calls; once a call has to wait, each call books its own units again.
 */
export class QuotaCredit {
  private readonly credits = new Map<string, Credit>();

  /** @param mostUnits most units to book in advance, so that they cause no burst */
  constructor(private readonly mostUnits: number) {}

  /** Spends `units` if they are booked. @returns whether they were */
  spend(accountId: string, units: number, now: number): boolean {
    const credit = this.credits.get(accountId);
    if (!credit || credit.until < now || credit.units < units) return false;
    credit.units -= units;
    return true;
  }

  /** Computes the units to book for a call that needs `units`. */
  computeUnitsToBook(accountId: string, units: number): number {
    const calls = this.credits.get(accountId)?.calls ?? 1;
    const affordable = Math.floor(this.mostUnits / Math.max(1, units));
    return units * Math.max(1, Math.min(calls, affordable));
  }

  /** Records a booking: `spare` units more than the call needed, after a wait of `waitMs`. */
  onBooked(accountId: string, spare: number, waitMs: number, now: number): void {
    if (this.credits.size >= MAX_ACCOUNTS) this.credits.clear();
    const calls = waitMs > 0 ? 1 : Math.min(MAX_CALLS, (this.credits.get(accountId)?.calls ?? 1) * 2);
    this.credits.set(accountId, { units: spare, until: now + waitMs + GOOD_FOR_MS, calls });
  }
}

/** Wait after which a background call is treated like an interactive one, in milliseconds. */
const STARVED_AFTER_MS = 5_000;
/**
 * Time for which spare calls leave the quota to a background call that had to wait, in milliseconds: it asks again
 * within `STARVED_AFTER_MS`.
 */
const SPARE_YIELDS_MS = STARVED_AFTER_MS + 1_000;
/**
 * Longest time for which background calls book ahead, in milliseconds, since interactive calls queue behind booked
 * units.
 */
const BACKGROUND_HORIZON_MS = 1_000;

/**
 * Time for which background calls wait for Redis, in milliseconds. After it their job reports that Redis is
 * unavailable, and goes on later.
 */
const REDIS_WAIT_MS = 60_000;
const REDIS_RETRY_MS = 500;

const rankOf = (priority: CallPriority, waitedMs: number): number => {
  if (priority === 'spare') return 2;
  return priority === 'background' && waitedMs < STARVED_AFTER_MS ? 1 : 0;
};

type QuotaAccount = Pick<ProviderAccount, 'id' | 'provider'>;

interface ProviderQuota {
  readonly limits: QuotaLimits;
  readonly credit: QuotaCredit;
}

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
const DEBIT = script(DEBIT_UNITS);
const PAUSE = script(PAUSE_ACCOUNT);
const STATUS = ['later', 'granted', 'paused'] as const;

/** The account's quota, shared by all processes through Redis. */
@Injectable()
export class QuotaBucket {
  private readonly logger = new Logger(QuotaBucket.name);
  private readonly quotas = new Map<string, ProviderQuota>();

  constructor(
    private readonly redis: RedisService,
    private readonly config: AppConfig,
  ) {}

  /** Largest number of units that one call should need. Larger calls are admitted, but make all other calls wait. */
  comfortableUnits(provider: string): number {
    return comfortableUnits(this.quotaOf(provider).limits);
  }

  /**
   * Books `units` for a call that may start after `waitMs`, unless that is longer than `longestWaitMs`.
   * @throws ProviderUnavailable without Redis, which knows the units that other processes have spent
   */
  async take(
    account: QuotaAccount,
    units: number,
    priority: CallPriority,
    longestWaitMs: number,
  ): Promise<TakeResult> {
    try {
      return await this.book(account, units, priority, longestWaitMs, 0);
    } catch (error) {
      throw isDependencyUnavailable(error) ? new ProviderUnavailable(error) : error;
    }
  }

  /**
   * Books `units` for a call that may start after `waitMs`. When that is not soon, returns the time after which to ask
   * again.
   * @param waitedMs milliseconds for which the call has been asking
   * @param priority `spare` gets no units while a background call of any process waits for quota
   * @throws the signal's reason when it aborts first; Redis's error when that stays unavailable
   */
  async takeInBackground(
    account: QuotaAccount,
    units: number,
    waitedMs: number,
    priority: 'background' | 'spare',
    signal: AbortSignal | undefined,
  ): Promise<TakeResult> {
    const { credit } = this.quotaOf(account.provider);
    if (credit.spend(account.id, units, Date.now())) return { status: 'granted', waitMs: 0 };
    const booked = credit.computeUnitsToBook(account.id, units);
    const taken = await this.retryUntilAvailable(signal, () =>
      this.book(account, booked, priority, BACKGROUND_HORIZON_MS, waitedMs),
    );
    credit.onBooked(account.id, taken.status === 'granted' ? booked - units : 0, taken.waitMs, Date.now());
    if (taken.status !== 'later') return taken;
    // The caller asks early enough to book before the units are available, and seldom enough not to poll.
    return {
      status: 'later',
      waitMs: Math.min(taken.waitMs - BACKGROUND_HORIZON_MS / 2, STARVED_AFTER_MS),
    };
  }

  /**
   * Takes units that have been spent already; the next call waits for them.
   * @throws Redis's error
   */
  async debit({ id, provider }: QuotaAccount, units: number): Promise<void> {
    const { limits } = this.quotaOf(provider);
    await this.run(
      DEBIT,
      [this.bucketKey(id), this.key(id, 'window')],
      [units, limits.ratePerSecond, limits.burst, limits.perMinute, limits.pacePerSecond, limits.paceBurst],
    );
  }

  /** Stops the account's calls in every process. @returns remaining milliseconds of the pause */
  async pause(accountId: string, ms: number): Promise<number> {
    return (await this.run(
      PAUSE,
      [this.bucketKey(accountId), this.pauseKey(accountId)],
      [Math.ceil(ms)],
    )) as number;
  }

  /** @param waitedMs milliseconds for which this call has been trying */
  private async book(
    { id, provider }: QuotaAccount,
    units: number,
    priority: CallPriority,
    longestWaitMs: number,
    waitedMs: number,
  ): Promise<TakeResult> {
    const { limits } = this.quotaOf(provider);
    const [status, waitMs] = (await this.run(
      TAKE,
      [this.bucketKey(id), this.key(id, 'window'), this.pauseKey(id)],
      [
        units,
        rankOf(priority, waitedMs),
        limits.ratePerSecond,
        limits.burst,
        limits.reserve,
        limits.perMinute,
        limits.pacePerSecond,
        limits.paceBurst,
        Math.max(0, longestWaitMs),
        SPARE_YIELDS_MS,
      ],
    )) as [number, number];
    return { status: STATUS[status]!, waitMs };
  }

  /**
   * Repeats `ask` while Redis is unavailable. Units whose booking was not answered may be booked twice, which only
   * slows this process.
   */
  private async retryUntilAvailable<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    const end = Date.now() + REDIS_WAIT_MS;
    for (;;) {
      try {
        return await abortable(ask(), signal);
      } catch (error) {
        // `end` means that this process has closed the client, because it is stopping.
        const closed = this.redis.client.status === 'end';
        if (signal?.aborted || closed || !isDependencyUnavailable(error) || Date.now() >= end) throw error;
        this.logger.warn(`Waiting to reserve provider quota: ${String(error)}`);
        await sleep(REDIS_RETRY_MS, signal);
      }
    }
  }

  private quotaOf(provider: string): ProviderQuota {
    let quota = this.quotas.get(provider);
    if (!quota) {
      const limits = quotaLimits(limitsOf(this.config, provider));
      quota = { limits, credit: new QuotaCredit(limits.reserve) };
      this.quotas.set(provider, quota);
    }
    return quota;
  }

  private bucketKey(accountId: string): string {
    return this.key(accountId, 'bucket');
  }

  private pauseKey(accountId: string): string {
    return this.key(accountId, 'pause');
  }

  /** Builds a Redis key. The braces put the keys of one account into one slot of a Redis cluster. */
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
