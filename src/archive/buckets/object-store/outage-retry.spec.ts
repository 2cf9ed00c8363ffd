import { ObjectStoreFailure } from './object-store-failure';
import { OutageRetry, retryDelay } from './outage-retry';

const away = new ObjectStoreFailure('unavailable', 'it refuses connections');

describe('retryDelay', () => {
  it('should grow up to a cap, with at least half of it certain', () => {
    expect([2, 3, 4, 5].map((attempt) => retryDelay(attempt, 1))).toEqual([100, 200, 400, 800]);
    expect(retryDelay(2, 0)).toBe(50);
    expect(retryDelay(40, 1)).toBe(10_000);
  });
});

describe('OutageRetry', () => {
  /** Fails `failures` times, then answers. */
  const failing = (failures: number, error: unknown = away) => {
    let calls = 0;
    const work = async (): Promise<number> => {
      calls += 1;
      if (calls <= failures) throw error;
      return calls;
    };
    return { work, calls: () => calls };
  };

  it('should repeat a call that failed because the store was unavailable', async () => {
    await expect(new OutageRetry().call({ waitMs: 5_000 }, failing(2).work)).resolves.toBe(3);
  });

  it('should repeat neither refused calls nor calls that failed for reasons outside the store', async () => {
    for (const error of [new ObjectStoreFailure('refused', 'no'), new TypeError('ours')]) {
      const { work, calls } = failing(1, error);
      await expect(new OutageRetry().call({ waitMs: 5_000 }, work)).rejects.toBe(error);
      expect(calls()).toBe(1);
    }
  });

  it('should give up when its time is over, and from then on at once for every caller', async () => {
    let now = 0;
    const sut = new OutageRetry(() => now);
    const work = jest.fn(async () => {
      now += 400;
      throw away;
    });
    await expect(sut.call({ waitMs: 300 }, work)).rejects.toBe(away);
    expect(work).toHaveBeenCalledTimes(2);
    await expect(sut.call({ waitMs: 300 }, work)).rejects.toBe(away);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('should wait again after a success, and after a while', async () => {
    let now = 0;
    const sut = new OutageRetry(() => now);
    await expect(sut.call({ waitMs: 0 }, failing(9).work)).rejects.toBe(away);
    await sut.call({ waitMs: 0 }, async () => 'there');
    now += 5_000;
    await expect(sut.call({ waitMs: 1_000 }, failing(1).work)).resolves.toBe(2);
    await expect(sut.call({ waitMs: 0 }, failing(9).work)).rejects.toBe(away);
    now += 31_000;
    await expect(sut.call({ waitMs: 1_000 }, failing(1).work)).resolves.toBe(2);
  });

  it('should stop waiting when the signal aborts, with its reason', async () => {
    const abortion = new AbortController();
    const reason = new Error('cancelled');
    const waiting = new OutageRetry().call({ waitMs: 60_000, signal: abortion.signal }, failing(99).work);
    setTimeout(() => abortion.abort(reason), 20);
    await expect(waiting).rejects.toBe(reason);
    const { work, calls } = failing(0);
    await expect(new OutageRetry().call({ waitMs: 1, signal: abortion.signal }, work)).rejects.toBe(reason);
    expect(calls()).toBe(0);
  });

  it('should wait no longer than its limit when the store requests more', async () => {
    const busy = new ObjectStoreFailure('unavailable', 'it is overloaded', 'endpoint', 60_000);
    const startedAt = Date.now();
    await expect(new OutageRetry().call({ waitMs: 1_000 }, failing(9, busy).work)).rejects.toBe(busy);
    expect(Date.now() - startedAt).toBeLessThan(900);
  });
});
