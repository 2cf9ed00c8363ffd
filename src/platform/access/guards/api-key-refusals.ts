import { Injectable, Logger } from '@nestjs/common';
import { RedisService } from '../../redis/redis.service';
import { AuditTrail } from '../audit-trail.port';
import type { ApiKeyUser } from '../authenticated-user';

/** One key and one reason are recorded once in this time, however often a program repeats itself. */
const INTERVAL_SECONDS = 60 * 60;

/** Records in the audit log that an API key was refused a route. */
@Injectable()
export class ApiKeyRefusals {
  private readonly logger = new Logger(ApiKeyRefusals.name);

  constructor(
    private readonly redis: RedisService,
    private readonly audit: AuditTrail,
  ) {}

  /** Records in the background: the request does not wait, and never fails for it. */
  record(user: ApiKeyUser, code: string): void {
    this.write(user, code).catch((error: unknown) => {
      this.logger.warn(`Could not record the refusal of an API key: ${String(error)}`);
    });
  }

  private async write({ id: userId, apiKey }: ApiKeyUser, code: string): Promise<void> {
    const key = this.redis.key('api-key-refusal', apiKey.id, code);
    if ((await this.redis.client.set(key, 1, 'EX', INTERVAL_SECONDS, 'NX')) === null) return;
    try {
      await this.audit.record({
        action: 'api-key.refused',
        userId,
        target: { type: 'api-key', id: apiKey.id },
        outcome: 'failure',
        details: { code },
      });
    } catch (error) {
      // The next refusal is recorded instead.
      await this.redis.client.del(key);
      throw error;
    }
  }
}
