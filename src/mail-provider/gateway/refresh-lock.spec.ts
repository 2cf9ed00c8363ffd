import type { RedisService } from '../../common/redis/redis.service';
import { RefreshLock } from './refresh-lock';

/** Redis as far as the lock uses it; `set` says what to answer. */
function redis(set: () => Promise<string | null>, evaluate: () => Promise<number> = async () => 1) {
  const calls = { set: 0, eval: 0 };
  const client = {
    set: () => {
      calls.set += 1;
      return set();
    },
    eval: () => {
      calls.eval += 1;
      return evaluate();
    },
  };
  const service = { key: (...parts: string[]) => parts.join(':'), client } as unknown as RedisService;
  return { service, calls };
}

describe('RefreshLock', () => {
  afterEach(() => jest.useRealTimers());

  it('runs the work with the lock and gives it back', async () => {
    const { service, calls } = redis(async () => 'OK');
    await expect(new RefreshLock(service).hold('a', async () => 'done')).resolves.toBe('done');
    await expect(
      new RefreshLock(service).hold('a', () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused');
    expect(calls).toEqual({ set: 2, eval: 2 });
  });

  it('goes on by itself once the lock has been away from us for as long as it can be held', async () => {
    jest.useFakeTimers();
    const { service, calls } = redis(async () => null);
    let ended: unknown;
    void new RefreshLock(service).hold('a', async () => 'done').then((result) => (ended = result));
    await jest.advanceTimersByTimeAsync(29_000);
    expect(ended).toBeUndefined();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(ended).toBe('done');
    // It was never ours to give back.
    expect(calls.eval).toBe(0);
  });

  it('goes on without Redis, but not over a fault of ours', async () => {
    const away = () => Promise.reject(new Error('Command timed out'));
    const { service } = redis(away);
    await expect(new RefreshLock(service).hold('a', async () => 'done')).resolves.toBe('done');
    const lost = redis(async () => 'OK', away);
    await expect(new RefreshLock(lost.service).hold('a', async () => 'done')).resolves.toBe('done');
    const wrong = redis(() => Promise.reject(new Error('ERR syntax error')));
    await expect(new RefreshLock(wrong.service).hold('a', async () => 'done')).rejects.toThrow('syntax');
  });
});
