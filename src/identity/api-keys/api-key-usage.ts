import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository';

/** The stored time of last use is at most this far behind. */
const USE_INTERVAL_SECONDS = 60;
const MAX_REMEMBERED = 10_000;

/** Records when keys were used, at most once a minute for each key. Requests do not wait for it. */
@Injectable()
export class ApiKeyUsage implements OnModuleDestroy {
  private readonly logger = new Logger(ApiKeyUsage.name);
  /** When this process last recorded a use of a key, milliseconds of `performance.now()`. */
  private readonly recordedAt = new Map<string, number>();
  private readonly writes = new Set<Promise<void>>();
  private reportedFailure = false;

  constructor(private readonly keys: ApiKeysRepository) {}

  record(keyId: string): void {
    const now = performance.now();
    const recordedAt = this.recordedAt.get(keyId);
    if (recordedAt !== undefined && now - recordedAt < USE_INTERVAL_SECONDS * 1000) return;
    this.remember(keyId, now);
    const write = this.write(keyId).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  /** Waits for the last writes before the database connections close. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.writes);
  }

  private async write(keyId: string): Promise<void> {
    try {
      await this.keys.recordUse(keyId, new Date(), USE_INTERVAL_SECONDS);
      this.reportedFailure = false;
    } catch (error) {
      // The next use tries again; an outage is logged once, not with every request.
      this.recordedAt.delete(keyId);
      if (this.reportedFailure) return;
      this.reportedFailure = true;
      this.logger.warn(`Could not record uses of API keys: ${String(error)}`);
    }
  }

  private remember(keyId: string, at: number): void {
    this.recordedAt.delete(keyId);
    this.recordedAt.set(keyId, at);
    if (this.recordedAt.size <= MAX_REMEMBERED) return;
    const oldest = this.recordedAt.keys().next();
    if (!oldest.done) this.recordedAt.delete(oldest.value);
  }
}
