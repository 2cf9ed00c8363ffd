import { BeforeApplicationShutdown, Injectable, Logger, OnModuleInit } from '@nestjs/common';
import type { TransferredBytes } from '../port/provider-usage.port';
import { ProviderUsageRepository, UsageCount } from './provider-usage.repository';
import { RecentUsage } from './recent-usage';
import { setInterval } from '../../platform/concurrency/timers';

const FLUSH_EVERY_MS = 3_000;
const MINUTE_MS = 60_000;

interface Count {
  units: number;
  calls: number;
  receivedBytes: number;
  sentBytes: number;
}

/** Counts units and calls per account, endpoint and minute, and writes them down in batches. */
@Injectable()
export class UsageRecorder implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(UsageRecorder.name);
  private counts = new Map<string, UsageCount & Count>();
  private timer?: NodeJS.Timeout;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: ProviderUsageRepository,
    private readonly recent: RecentUsage,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flushQuietly(), FLUSH_EVERY_MS);
    this.timer.unref();
  }

  /** Runs before the database connection is closed. Calls that are still in flight then are not counted. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushQuietly();
  }

  record(accountId: string, endpoint: string, units: number, calls: number): void {
    const now = Date.now();
    this.add({ accountId, endpoint, minute: minuteOf(now), units, calls, receivedBytes: 0, sentBytes: 0 });
    this.recent.record(accountId, units, calls, now);
  }

  /** Counts transferred bytes. */
  recordBytes(accountId: string, endpoint: string, bytes: TransferredBytes): void {
    if (bytes.receivedBytes + bytes.sentBytes === 0) return;
    this.add({ accountId, endpoint, minute: minuteOf(Date.now()), units: 0, calls: 0, ...bytes });
  }

  /** Writes down everything recorded so far. A failed write keeps the counts for the next one. */
  flush(): Promise<void> {
    this.flushing = this.flushing.catch(() => undefined).then(() => this.write());
    return this.flushing;
  }

  /** Writes to the database and to Redis, each whether or not the other is available. */
  private async write(): Promise<void> {
    const written = await Promise.allSettled([this.writeRecords(), this.recent.write()]);
    const failed = written.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async writeRecords(): Promise<void> {
    if (this.counts.size === 0) return;
    const counts = [...this.counts.values()];
    this.counts = new Map();
    try {
      await this.repository.add(counts);
    } catch (error) {
      for (const count of counts) this.add(count);
      throw error;
    }
  }

  private async flushQuietly(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.logger.warn(`Could not write the provider usage, will try again: ${String(error)}`);
    }
  }

  private add(count: UsageCount): void {
    const key = `${count.accountId} ${count.minute.getTime()} ${count.endpoint}`;
    const known = this.counts.get(key);
    if (known) {
      known.units += count.units;
      known.calls += count.calls;
      known.receivedBytes += count.receivedBytes;
      known.sentBytes += count.sentBytes;
    } else {
      this.counts.set(key, { ...count });
    }
  }
}

const minuteOf = (at: number): Date => new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS);
