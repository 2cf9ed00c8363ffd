import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BullQueues } from '../../../../src/platform/redis/bull-queues';
import { RedisService } from '../../../../src/platform/redis/redis.service';
import { loadConfig } from '../../../../src/platform/config/load-config';
import { waitFor } from '../../../support/wait';

describe('BullQueues', () => {
  const prefix = `bull-${randomBytes(6).toString('hex')}`;
  const open: { queues: BullQueues; redis: RedisService }[] = [];

  const processOf = (role: 'api' | 'worker'): BullQueues => {
    const config = loadConfig({
      NODE_ENV: 'test',
      ROLE: role,
      DATABASE_URL: process.env.MAILROOM_TEST_DATABASE_URL!,
      REDIS_URL: process.env.MAILROOM_TEST_REDIS_URL!,
      REDIS_PREFIX: prefix,
      JWT_SECRET: 'a secret of the test, of no use elsewhere',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SANDBOX: 'false',
    });
    const redis = new RedisService(config);
    const queues = new BullQueues(redis, config);
    open.push({ queues, redis });
    return queues;
  };

  afterEach(async () => {
    for (const { queues, redis } of open.splice(0)) {
      await queues.onApplicationShutdown();
      await redis.onApplicationShutdown();
    }
  });

  it('should call the consumer of a process that runs jobs, once for every wake-up', async () => {
    const [api, worker] = [processOf('api'), processOf('worker')];
    const called: string[] = [];
    void api.queue('q').process(2, async () => void called.push('api'));
    void worker.queue('q').process(2, async () => void called.push('worker'));
    for (let n = 0; n < 5; n += 1) api.wake('q');
    await waitFor('five wake-ups', async () => called.length >= 5);
    await delay(100);
    expect(called).toEqual(Array.from({ length: 5 }, () => 'worker'));
  });

  it('should leave wake-ups to others once it has stopped consuming, and end even if a consumer does not', async () => {
    const [stopping, other] = [processOf('worker'), processOf('worker')];
    const called: string[] = [];
    const hang = new Promise<void>(() => undefined);
    void stopping.queue('p').process(2, () => (called.push('stopping'), hang));
    stopping.wake('p');
    await waitFor('the first wake-up', async () => called.length === 1);
    await stopping.stopConsuming();
    void other.queue('p').process(2, async () => void called.push('other'));
    stopping.wake('p');
    await waitFor('the second wake-up', async () => called.length === 2);
    expect(called).toEqual(['stopping', 'other']);
    const startedAt = performance.now();
    await stopping.onApplicationShutdown();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    // Nobody is woken any more, and nothing fails.
    stopping.wake('p');
  });
});
