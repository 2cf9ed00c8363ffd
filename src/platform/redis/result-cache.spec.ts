import { Logger } from '@nestjs/common';
import { ClientGone } from '../http/client-signal';
import type { RedisService } from './redis.service';
import { ComputedResult, ResultCache } from './result-cache';

describe('ResultCache', () => {
  const set = jest.fn();
  const get = jest.fn();
  const redis = { key: (...parts: string[]) => parts.join(':'), client: { get, set } };
  let sut: ResultCache;
  let computed: number;

  const compute = async (): Promise<ComputedResult<{ n: number }>> => {
    computed += 1;
    const n = computed;
    await new Promise((resolve) => setImmediate(resolve));
    return { value: { n }, keepSeconds: 900 };
  };

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    set.mockReset().mockResolvedValue('OK');
    get.mockReset().mockResolvedValue(null);
    sut = new ResultCache(redis as unknown as RedisService);
    computed = 0;
  });

  it('should return a cached result without computing', async () => {
    get.mockResolvedValue('{"n":7}');
    expect(await sut.getOrCompute(['figure', 'a'], false, compute)).toEqual({ n: 7 });
    expect([computed, set.mock.calls]).toEqual([0, []]);
  });

  it('should cache a computed result for the given time', async () => {
    expect(await sut.getOrCompute(['figure', 'a'], false, compute)).toEqual({ n: 1 });
    expect(set).toHaveBeenCalledWith('result:figure:a', '{"n":1}', 'EX', 900);
  });

  it('should compute again and replace the result when asked to', async () => {
    get.mockResolvedValue('{"n":7}');
    expect(await sut.getOrCompute(['figure', 'a'], true, compute)).toEqual({ n: 1 });
    expect(set).toHaveBeenCalledTimes(1);
  });

  it('should share one computation between simultaneous requests', async () => {
    const answers = await Promise.all([
      sut.getOrCompute(['figure', 'a'], true, compute),
      sut.getOrCompute(['figure', 'a'], true, compute),
      sut.getOrCompute(['figure', 'a'], false, compute),
      sut.getOrCompute(['figure', 'b'], false, compute),
    ]);
    expect(answers.map(({ n }) => n)).toEqual([1, 1, 1, 2]);
  });

  it('should compute again for those who wait when the client of the computation has left', async () => {
    const leaving = sut.getOrCompute(['figure', 'a'], false, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new ClientGone();
    });
    await new Promise(process.nextTick);
    const waiting = [1, 2].map(() => sut.getOrCompute(['figure', 'a'], false, compute));
    await expect(leaving).rejects.toThrow(ClientGone);
    expect(await Promise.all(waiting)).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('should not return, as a new result, one that was already being computed, nor cache it', async () => {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const begun = new Promise<void>((resolve) => {
      void sut.getOrCompute(['figure', 'a'], false, async () => {
        resolve();
        await ended;
        return { value: 'older', keepSeconds: 900 };
      });
    });
    await begun;
    const newer = sut.getOrCompute(['figure', 'a'], true, compute);
    end();
    expect(await newer).toEqual({ n: 1 });
    expect(set.mock.calls.map(([, kept]) => kept)).toEqual(['{"n":1}']);
  });

  it('should share a failure, and compute again afterwards', async () => {
    const failing = (): Promise<never> => Promise.reject(new Error('provider away'));
    await expect(sut.getOrCompute(['figure', 'a'], false, failing)).rejects.toThrow('provider away');
    expect(await sut.getOrCompute(['figure', 'a'], false, compute)).toEqual({ n: 1 });
  });

  it('should compute without Redis', async () => {
    get.mockRejectedValue(new Error('Connection is closed.'));
    set.mockRejectedValue(new Error('Connection is closed.'));
    expect(await sut.getOrCompute(['figure', 'a'], false, compute)).toEqual({ n: 1 });
    expect(await sut.getOrCompute(['figure', 'a'], false, compute)).toEqual({ n: 2 });
  });

  it('should not cache a result that is too large', async () => {
    const large = async () => ({ value: 'x'.repeat(3 * 1024 * 1024), keepSeconds: 900 });
    expect(await sut.getOrCompute(['figure', 'a'], false, large)).toHaveLength(3 * 1024 * 1024);
    expect(set).not.toHaveBeenCalled();
  });
});
