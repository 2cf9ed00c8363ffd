import { setImmediate as turn } from 'node:timers/promises';
import { type Share, Semaphore } from './semaphore';

describe('Semaphore', () => {
  it('should admit callers that fit, and the others in order', async () => {
    const sut = new Semaphore(10);
    const entered: string[] = [];
    const enter = async (name: string, weight: number): Promise<Share> => {
      const share = await sut.reserve(weight);
      entered.push(name);
      return share;
    };
    const first = await enter('first', 6);
    const heavy = enter('heavy', 8);
    const light = enter('light', 1);
    await turn();
    expect(entered).toEqual(['first']);
    first.release();
    first.release();
    await Promise.all([heavy, light]);
    expect(entered).toEqual(['first', 'heavy', 'light']);
    expect(sut.inUse).toBe(9);
  });

  it('should admit a caller heavier than the capacity alone', async () => {
    const sut = new Semaphore(10);
    const light = await sut.reserve(1);
    let isIn = false;
    const heavy = sut.reserve(50).then((share) => {
      isIn = true;
      return share;
    });
    await turn();
    expect(isIn).toBe(false);
    light.release();
    (await heavy).release();
    expect(sut.inUse).toBe(0);
  });

  it('should make later callers wait for a share that turned out heavier', async () => {
    const sut = new Semaphore(10);
    const share = await sut.reserve(1);
    share.resize(20);
    let isIn = false;
    const next = sut.reserve(1).then(() => {
      isIn = true;
    });
    await turn();
    expect(isIn).toBe(false);
    share.resize(9);
    await next;
    expect(sut.inUse).toBe(10);
  });

  it('should release a caller that aborts, and serve those behind it', async () => {
    const sut = new Semaphore(10);
    await sut.reserve(5);
    const abortion = new AbortController();
    const heavy = sut.reserve(8, abortion.signal);
    const behind = sut.reserve(5);
    abortion.abort(new Error('cancelled'));
    await expect(heavy).rejects.toThrow('cancelled');
    await behind;
    await expect(sut.reserve(1, abortion.signal)).rejects.toThrow('cancelled');
    expect(sut.inUse).toBe(10);
  });

  describe('with a limit of waiting callers', () => {
    /** Work that runs until the test ends it. */
    function manualWork() {
      const running: (() => void)[] = [];
      return { running, work: () => new Promise<void>((resolve) => running.push(resolve)) };
    }

    const limited = (capacity: number, maxWaiting: number): Semaphore =>
      new Semaphore(capacity, { maxWaiting, refusal: () => new Error('too busy') });

    it('should run no more at once than its capacity, and the rest in turn', async () => {
      const sut = limited(2, 10);
      const { running, work } = manualWork();
      const all = [1, 2, 3, 4].map(() => sut.run(work));
      await turn();
      expect(running).toHaveLength(2);
      running[0]!();
      await turn();
      expect(running).toHaveLength(3);
      running[1]!();
      running[2]!();
      await turn();
      running[3]!();
      await Promise.all(all);
    });

    it('should refuse at once when too many wait', async () => {
      const sut = limited(1, 1);
      const { running, work } = manualWork();
      const first = sut.run(work);
      const second = sut.run(work);
      await expect(sut.run(work)).rejects.toThrow('too busy');
      running[0]!();
      await turn();
      running[1]!();
      await Promise.all([first, second]);
    });

    it('should admit callers again after the work has failed', async () => {
      const sut = limited(1, 0);
      await expect(sut.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
      await expect(sut.run(() => Promise.resolve('fine'))).resolves.toBe('fine');
    });
  });
});
