import { Injectable } from '@nestjs/common';
import { RedisService } from '../common/redis/redis.service';

/** Keys a call of SCAN looks at. */
const LOOKED_AT = 1_000;

/**
 * What Redis keeps of a user: results, spent quota, locks, rates and consents under way. All of it ends by itself within
 * a day; whoever is deleted need not wait for that.
 */
@Injectable()
export class UserRedisKeys {
  constructor(private readonly redis: RedisService) {}

  /** Removes keys that name any of the ids, of users or accounts, and consents that do. Repeating it is fine. */
  async remove(ids: readonly string[]): Promise<void> {
    const names = (text: string | null | undefined): boolean => ids.some((id) => text?.includes(id));
    const consents = this.redis.key('consent', '');
    for await (const keys of this.scan()) {
      const asked = keys.filter((key) => key.startsWith(consents));
      const texts = asked.length > 0 ? await this.redis.client.mget(asked) : [];
      const doomed = [...keys.filter(names), ...asked.filter((_, at) => names(texts[at]))];
      if (doomed.length > 0) await this.redis.client.unlink(doomed);
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
        LOOKED_AT,
      );
      yield keys;
      cursor = next;
    } while (cursor !== '0');
  }
}
