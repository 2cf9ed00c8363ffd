import { setImmediate as turn } from 'node:timers/promises';
import { type Share, Semaphore } from './semaphore';

describe('SharedBudget', () => {
  it('should let in what fits, the others in their order', async () => {
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

  it('should let in alone what is heavier than everything', async () => {
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

  it('should make later callers wait for what turned out heavier', async () => {
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

  it('should let go of a caller that aborts, and serve who waited behind it', async () => {
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
});
