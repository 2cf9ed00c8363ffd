import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../../../common/redis/redis.service';
import { sleep } from '../flow/abortable';

/** Longer than a token request may take, so that the lock outlives its owner only after a crash. */
const HELD_MS = 30_000;
const RETRY_MS = 50;

const RELEASE_IF_MINE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Lets one process at a time refresh an account's tokens. */
@Injectable()
export class RefreshLock {
  constructor(private readonly redis: RedisService) {}

  /** Runs `work` alone among all processes; waits for its turn. */
  async hold<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const key = this.redis.key('provider', `{${accountId}}`, 'refresh');
    const owner = randomUUID();
    while ((await this.redis.client.set(key, owner, 'PX', HELD_MS, 'NX')) !== 'OK') await sleep(RETRY_MS);
    try {
      return await work();
    } finally {
      await this.redis.client.eval(RELEASE_IF_MINE, 1, key, owner);
    }
  }
}
