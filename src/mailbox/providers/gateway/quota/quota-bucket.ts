import { Injectable } from '@nestjs/common';
import type Redis from 'ioredis';
import { createHash } from 'node:crypto';
import { AppConfig } from '../../../../config/app-config';
import { RedisService } from '../../../../common/redis/redis.service';
import { sleep } from '../flow/abortable';
import type { CallPriority } from '../../mailbox-provider.port';
import { comfortableUnits, QuotaLimits, quotaLimits } from './quota-limits';
import { QuotaCredit } from './quota-credit';
import { PAUSE_ACCOUNT, TAKE_UNITS } from './quota-scripts';

/** A background call that has been passed over for so long is treated like an interactive one. */
const STARVED_AFTER_MS = 5_000;
/** Background calls book at most so far ahead: what is booked, an interactive call queues behind. */
const BACKGROUND_HORIZON_MS = 1_000;

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
   * @param waitedMs how long this call has been trying
   */
  async take(
    accountId: string,
    units: number,
    priority: CallPriority,
    longestWaitMs: number,
    waitedMs = 0,
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

  /**
   * Waits as long as it takes for `units`, pauses included.
   * @param onPause told how long the account is paused, by whichever process
   * @throws the signal's reason when it aborts first
   */
  async takeInBackground(
    accountId: string,
    units: number,
    signal: AbortSignal | undefined,
    onPause: (ms: number) => void,
  ): Promise<void> {
    if (this.credit.spend(accountId, units, Date.now())) return;
    let waitedSince = Date.now();
    for (;;) {
      const booked = this.credit.toBook(accountId, units);
      const taken = await this.take(
        accountId,
        booked,
        'background',
        BACKGROUND_HORIZON_MS,
        Date.now() - waitedSince,
      );
      this.credit.onBooked(
        accountId,
        taken.status === 'granted' ? booked - units : 0,
        taken.waitMs,
        Date.now(),
      );
      if (taken.status === 'granted') {
        if (taken.waitMs > 0) await sleep(taken.waitMs, signal);
        return;
      }
      if (taken.status === 'paused') onPause(taken.waitMs);
      // Early enough to book before the units are there, seldom enough not to be polling.
      const early = taken.status === 'paused' ? 0 : BACKGROUND_HORIZON_MS / 2;
      await sleep(
        Math.min(taken.waitMs - early, taken.status === 'paused' ? Infinity : STARVED_AFTER_MS),
        signal,
      );
      if (taken.status === 'paused') waitedSince = Date.now();
    }
  }

  /** Stops the account's calls in every process. @returns how long it is paused now, milliseconds */
  async pause(accountId: string, ms: number): Promise<number> {
    return (await this.run(
      PAUSE,
      [this.bucketKey(accountId), this.pauseKey(accountId)],
      [Math.ceil(ms)],
    )) as number;
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
