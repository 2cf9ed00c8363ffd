import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import type { ApiKeyUser } from '../access/authenticated-user';
import { RedisService } from '../common/redis/redis.service';
import { ApiKeysRepository } from './api-keys.repository';

/** The time of last use is this far behind at most. */
const USE_INTERVAL_SECONDS = 60;
const MAX_REMEMBERED = 10_000;

/** Records when keys were used: at most once a minute each, beside the requests and never in their way. */
@Injectable()
export class ApiKeyUsage implements OnModuleDestroy {
  private readonly logger = new Logger(ApiKeyUsage.name);
  /** When this process last recorded a use of a key, milliseconds of `performance.now()`. */
  private readonly recordedAt = new Map<string, number>();
  private readonly writes = new Set<Promise<void>>();
  private reportedFailure = false;

  constructor(private readonly keys: ApiKeysRepository) {}

  note(keyId: string): void {
    const now = performance.now();
    const recordedAt = this.recordedAt.get(keyId);
    if (recordedAt !== undefined && now - recordedAt < USE_INTERVAL_SECONDS * 1000) return;
    this.remember(keyId, now);
    const write = this.write(keyId).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  /** Before the database connections close. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.writes);
  }

  private async write(keyId: string): Promise<void> {
    try {
      await this.keys.recordUse(keyId, new Date(), USE_INTERVAL_SECONDS);
      this.reportedFailure = false;
    } catch (error) {
      // The next use tries again; an outage is not told with every request.
      this.recordedAt.delete(keyId);
      if (this.reportedFailure) return;
      this.reportedFailure = true;
      this.logger.warn(`Uses of API keys are not being recorded: ${String(error)}`);
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

/** A key and a reason are told once in this time, however often a program repeats itself. */
const REFUSAL_INTERVAL_SECONDS = 60 * 60;

/** Records that a key was used for what it is not good for, beside the request that is refused. */
@Injectable()
export class ApiKeyRefusals {
  private readonly logger = new Logger(ApiKeyRefusals.name);

  constructor(
    private readonly redis: RedisService,
    private readonly audit: AuditTrail,
  ) {}

  note(user: ApiKeyUser, code: string): void {
    this.record(user, code).catch((error: unknown) => {
      this.logger.warn(`A refusal of an API key was not recorded: ${String(error)}`);
    });
  }

  private async record({ id: userId, apiKey }: ApiKeyUser, code: string): Promise<void> {
    const key = this.redis.key('api-key-refusal', apiKey.id, code);
    if ((await this.redis.client.set(key, 1, 'EX', REFUSAL_INTERVAL_SECONDS, 'NX')) === null) return;
    try {
      await this.audit.record({
        action: 'api-key.refused',
        userId,
        target: { type: 'api-key', id: apiKey.id },
        outcome: 'failure',
        details: { code },
      });
    } catch (error) {
      // The next refusal is recorded in its place.
      await this.redis.client.del(key);
      throw error;
    }
  }
}
