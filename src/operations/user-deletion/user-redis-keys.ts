import { Injectable } from '@nestjs/common';
import { RedisService } from '../../platform/redis/redis.service';

/** Keys that one call of SCAN examines. */
const SCAN_COUNT = 1_000;

/**
 * A user's keys in Redis: results, spent quota, locks, rates and open consents. All of them expire within a day; deleting
 * a user does not wait for that.
 */
@Injectable()
export class UserRedisKeys {
  constructor(private readonly redis: RedisService) {}

  /** Deletes keys, and consents, that name any of the ids of users or accounts. Can be repeated. */
  async delete(ids: readonly string[]): Promise<void> {
    const names = (text: string | null | undefined): boolean => ids.some((id) => text?.includes(id));
    const consents = this.redis.key('consent', '');
    for await (const keys of this.scan()) {
      const consentKeys = keys.filter((key) => key.startsWith(consents));
      const texts = consentKeys.length > 0 ? await this.redis.client.mget(consentKeys) : [];
      const named = [...keys.filter(names), ...consentKeys.filter((_, at) => names(texts[at]))];
      if (named.length > 0) await this.redis.client.unlink(named);
    }
  }

  private async *scan(): AsyncGenerator<string[]> {
    let cursor = '0';
    do {
      const [next, keys] = await this.redis.client.scan(
        cursor,
        'MATCH',
        this.redis.key('*'),
        'COUNT',
        SCAN_COUNT,
      );
      yield keys;
      cursor = next;
    } while (cursor !== '0');
  }
}
