import { Logger } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { RedisLock } from './redis-lock';
import type { RedisService } from './redis.service';

const timedOut = (): Promise<never> => Promise.reject(new Error('Command timed out'));
const done = (): Promise<string> => Promise.resolve('done');

describe('RedisLock', () => {
  const client = { set: jest.fn(), eval: jest.fn() };
  let sut: RedisLock;
  let warn: jest.SpyInstance;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    jest.spyOn(Logger.prototype, 'debug').mockImplementation();
    client.set.mockReset().mockResolvedValue('OK');
    client.eval.mockReset().mockResolvedValue(1);
    sut = new RedisLock({ client, key: (...parts: string[]) => parts.join(':') } as unknown as RedisService);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('should run the work with the lock and release it, however the work ends', async () => {
    await expect(sut.run(['a', 'b'], done, { heldMs: 1_000 })).resolves.toBe('done');
    const failing = sut.run(['a', 'b'], () => Promise.reject(new Error('refused')), { heldMs: 1_000 });
    await expect(failing).rejects.toThrow('refused');
    const token: unknown = client.set.mock.calls[1]![1];
    expect(client.set).toHaveBeenLastCalledWith('a:b', token, 'PX', 1_000, 'NX');
    expect(client.eval).toHaveBeenCalledTimes(2);
    expect(client.eval).toHaveBeenLastCalledWith(expect.stringContaining('del'), 1, 'a:b', token);
  });

  it('should let one caller at a time in this process request the lock', async () => {
    let end!: () => void;
    const first = sut.run(['a'], () => new Promise<void>((resolve) => (end = resolve)), { heldMs: 1_000 });
    const second = sut.run(['a'], done, { heldMs: 1_000 });
    await turn();
    expect(client.set).toHaveBeenCalledTimes(1);
    end();
    await Promise.all([first, second]);
    expect(client.set).toHaveBeenCalledTimes(2);
  });

  it('should renew the lock while the work runs, if asked to', async () => {
    jest.useFakeTimers();
    for (const renew of [true, false]) {
      client.eval.mockClear();
      const work = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 9_500));
      const running = sut.run(['a'], work, { heldMs: 9_000, renew });
      await jest.advanceTimersByTimeAsync(9_400);
      expect(client.eval).toHaveBeenCalledTimes(renew ? 3 : 0);
      if (renew)
        expect(client.eval.mock.calls[0]).toEqual([expect.any(String), 1, 'a', expect.any(String), 9_000]);
      await jest.advanceTimersByTimeAsync(200);
      await running;
    }
  });

  it('should proceed without a lock that stays taken for the maximum wait', async () => {
    jest.useFakeTimers();
    client.set.mockResolvedValue(null);
    let ended: unknown;
    void sut.run(['a'], done, { heldMs: 30_000, waitMs: 30_000 }).then((result) => (ended = result));
    await jest.advanceTimersByTimeAsync(29_000);
    expect(ended).toBeUndefined();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(ended).toBe('done');
    // It was never ours to release.
    expect(client.eval).not.toHaveBeenCalled();
  });

  it('should proceed without Redis', async () => {
    client.set.mockImplementation(timedOut);
    client.eval.mockImplementation(timedOut);
    await expect(sut.run(['a'], done, { heldMs: 1_000 })).resolves.toBe('done');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('Command timed out'));
  });

  it('should keep the result of the work when the lock cannot be released', async () => {
    client.eval.mockImplementation(timedOut);
    await expect(sut.run(['a'], done, { heldMs: 1_000 })).resolves.toBe('done');
  });

  it('should throw programming errors, and the reason of a caller that aborts', async () => {
    client.set.mockRejectedValue(new Error('WRONGTYPE'));
    await expect(sut.run(['a'], done, { heldMs: 1_000 })).rejects.toThrow('WRONGTYPE');
    client.set.mockResolvedValue(null);
    const controller = new AbortController();
    const waiting = sut.run(['a'], done, { heldMs: 1_000, signal: controller.signal });
    await turn();
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});
