import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../platform/redis/redis.service';
import type { SpentQuota } from '../port/provider-usage.port';

const WINDOW_SECONDS = 60;
/** Lifetime of a count in Redis after its last change, in seconds: longer than the window that is asked for. */
const KEPT_SECONDS = 120;

interface SecondCount {
  readonly accountId: string;
  /** Epoch seconds. */
  readonly second: number;
  units: number;
  calls: number;
}

/**
 * Units and calls second by second, kept in Redis for as long as a sliding minute needs them. Each process writes
 * its own totals, not additions to common ones, so that a write whose answer was lost can be repeated.
 */
@Injectable()
export class RecentUsage {
  private readonly process = randomUUID().slice(0, 8);
  private readonly counts = new Map<string, SecondCount>();
  /** Keys of counts that are not in Redis yet. */
  private unwritten = new Set<string>();

  constructor(private readonly redis: RedisService) {}

  record(accountId: string, units: number, calls: number, at = Date.now()): void {
    const second = Math.floor(at / 1_000);
    const key = `${accountId} ${second}`;
    const count = this.counts.get(key);
    if (count) {
      count.units += units;
      count.calls += calls;
    } else {
      this.counts.set(key, { accountId, second, units, calls });
    }
    this.unwritten.add(key);
  }

  /**
   * Writes new counts to Redis. Counts that could not be written are written the next time, unless they are too old by
   * then.
   */
  async write(now = Date.now()): Promise<void> {
    const keys = this.unwritten;
    this.unwritten = new Set();
    const current = Math.floor(now / 1_000);
    try {
      await Promise.all([...this.groupByMinute(keys)].map(([key, totals]) => this.store(key, totals)));
    } catch (error) {
      for (const key of keys) this.unwritten.add(key);
      this.deleteWhere(({ second }) => second < current - KEPT_SECONDS);
      throw error;
    }
    // Counts of past seconds no longer change.
    this.deleteWhere(({ second }, key) => second < current && !this.unwritten.has(key));
  }

  /** Sums the counts of all processes for the last 60 clock seconds. */
  async sumLastMinute(accountId: string, now = Date.now()): Promise<SpentQuota> {
    const current = Math.floor(now / 1_000);
    const oldest = current - WINDOW_SECONDS + 1;
    const minutes = [...new Set([minuteOf(oldest), minuteOf(current)])];
    const stored = await Promise.all(
      minutes.map((minute) => this.redis.client.hgetall(this.key(accountId, minute))),
    );
    let units = 0;
    let calls = 0;
    for (const [field, total] of stored.flatMap(Object.entries<string>)) {
      if (Number.parseInt(field, 10) < oldest) continue;
      const [spent, times] = total.split(' ').map(Number);
      units += spent!;
      calls += times!;
    }
    return { units, calls };
  }

  private groupByMinute(keys: ReadonlySet<string>): Map<string, Record<string, string>> {
    const minutes = new Map<string, Record<string, string>>();
    for (const key of keys) {
      const { accountId, second, units, calls } = this.counts.get(key)!;
      const minute = this.key(accountId, minuteOf(second));
      const totals = minutes.get(minute) ?? {};
      totals[`${second} ${this.process}`] = `${units} ${calls}`;
      minutes.set(minute, totals);
    }
    return minutes;
  }

  private async store(key: string, totals: Record<string, string>): Promise<void> {
    const { client } = this.redis;
    await client.multi().hset(key, totals).expire(key, KEPT_SECONDS).exec();
  }

  private deleteWhere(isOver: (count: SecondCount, key: string) => boolean): void {
    for (const [key, count] of this.counts) {
      if (!isOver(count, key)) continue;
      this.counts.delete(key);
      this.unwritten.delete(key);
    }
  }

  private key(accountId: string, minute: number): string {
    return this.redis.key('provider', `{${accountId}}`, 'spent', String(minute));
  }
}

const minuteOf = (second: number): number => Math.floor(second / 60);
