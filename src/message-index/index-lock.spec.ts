import { Logger } from '@nestjs/common';
import type { RedisService } from '../common/redis/redis.service';
import { IndexLock } from './index-lock';

const timedOut = (): Promise<never> => Promise.reject(new Error('Command timed out'));

describe('IndexLock', () => {
  const client = { set: jest.fn(), eval: jest.fn() };
  let sut: IndexLock;

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    client.set.mockReset().mockResolvedValue('OK');
    client.eval.mockReset().mockResolvedValue(1);
    sut = new IndexLock({ client, key: (...parts: string[]) => parts.join(':') } as unknown as RedisService);
  });

  afterEach(() => jest.restoreAllMocks());

  it('should do the work without the lock while Redis is away', async () => {
    client.set.mockImplementation(timedOut);
    client.eval.mockImplementation(timedOut);
    await expect(sut.exclusive('account', () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('should keep what was done when the lock cannot be given back', async () => {
    client.eval.mockImplementation(timedOut);
    await expect(sut.exclusive('account', () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('should throw what is no matter of Redis’s absence', async () => {
    client.set.mockRejectedValue(new Error('WRONGTYPE'));
    await expect(sut.exclusive('account', () => Promise.resolve('done'))).rejects.toThrow('WRONGTYPE');
    const stopped = AbortSignal.abort(new Error('stopped'));
    client.set.mockResolvedValue(null);
    await expect(
      sut.exclusive('account', () => Promise.resolve('done'), { signal: stopped }),
    ).rejects.toThrow('stopped');
  });
});
