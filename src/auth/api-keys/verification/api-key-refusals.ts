import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../../common/audit/audit-trail.port';
import type { ApiKeyUser } from '../../../common/auth/authenticated-user';
import { RedisService } from '../../../common/redis/redis.service';

/** A key and a reason are told once in this time, however often a program repeats itself. */
const REST_SECONDS = 60 * 60;

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
    if ((await this.redis.client.set(key, 1, 'EX', REST_SECONDS, 'NX')) === null) return;
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
