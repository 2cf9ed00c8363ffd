import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairSemaphore } from './fair-semaphore';
import type { Share } from './semaphore';

/** Reserves and notes who was let in, in order. */
class Callers {
  readonly letIn: string[] = [];
  readonly shares = new Map<string, Share>();

  constructor(private readonly semaphore: FairSemaphore) {}

  ask(key: string, name: string, weight = 1, signal?: AbortSignal): Promise<void> {
    return this.semaphore.reserve(key, weight, signal).then((share) => {
      this.letIn.push(name);
      this.shares.set(name, share);
    });
  }

  leave(name: string): void {
    this.shares.get(name)!.release();
  }
}

describe('FairSemaphore', () => {
  it('should leave room for others when one key asks for everything', async () => {
    const callers = new Callers(new FairSemaphore({ capacity: 3, perKey: 2 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void callers.ask('a', name);
    void callers.ask('b', 'b1');
    await nextTurn();
    expect(callers.letIn).toEqual(['a1', 'a2', 'b1']);
  });

  it('should let keys take turns, however many callers of one of them wait', async () => {
    const callers = new Callers(new FairSemaphore({ capacity: 1, perKey: 1 }));
    for (const name of ['a1', 'a2', 'a3']) void callers.ask('a', name);
    void callers.ask('b', 'b1');
    void callers.ask('c', 'c1');
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) {
      await nextTurn();
      expect(callers.letIn.at(-1)).toBe(name);
      callers.leave(name);
    }
  });

  it('should admit a caller that is heavier than the limit of its key, alone of that key', async () => {
    const callers = new Callers(new FairSemaphore({ capacity: 10, perKey: 4 }));
    void callers.ask('a', 'a1', 6);
    void callers.ask('a', 'a2', 1);
    void callers.ask('b', 'b1', 4);
    await nextTurn();
    expect(callers.letIn).toEqual(['a1', 'b1']);
    callers.leave('a1');
    await nextTurn();
    expect(callers.letIn).toEqual(['a1', 'b1', 'a2']);
  });

  it('should not let a heavy caller starve behind light ones', async () => {
    const semaphore = new FairSemaphore({ capacity: 4, perKey: 4 });
    const callers = new Callers(semaphore);
    void callers.ask('a', 'a1', 3);
    void callers.ask('b', 'b1', 4);
    void callers.ask('c', 'c1', 1);
    await nextTurn();
    expect(callers.letIn).toEqual(['a1']);
    callers.leave('a1');
    await nextTurn();
    expect(callers.letIn).toEqual(['a1', 'b1']);
    callers.leave('b1');
    await nextTurn();
    expect(semaphore.inUse).toBe(1);
  });

  it('should admit a caller at once only when it overtakes no other', async () => {
    const semaphore = new FairSemaphore({ capacity: 4, perKey: 3 });
    const callers = new Callers(semaphore);
    const first = semaphore.tryReserve('a', 2)!;
    expect(semaphore.tryReserve('a', 2)).toBeUndefined();
    void callers.ask('a', 'a1', 2);
    expect(semaphore.tryReserve('a', 1)).toBeUndefined();
    const other = semaphore.tryReserve('b', 1)!;
    void callers.ask('c', 'c1', 2);
    expect(semaphore.tryReserve('b', 1)).toBeUndefined();
    other.release();
    await nextTurn();
    expect(callers.letIn).toEqual(['c1']);
    first.release();
    await nextTurn();
    expect(callers.letIn).toEqual(['c1', 'a1']);
    expect(semaphore.inUse).toBe(4);
  });

  it('should count the resized weight of a share', async () => {
    const semaphore = new FairSemaphore({ capacity: 10, perKey: 10 });
    const callers = new Callers(semaphore);
    void callers.ask('a', 'a1', 10);
    void callers.ask('b', 'b1', 5);
    await nextTurn();
    expect(callers.letIn).toEqual(['a1']);
    callers.shares.get('a1')!.resize(5);
    await nextTurn();
    expect(callers.letIn).toEqual(['a1', 'b1']);
    callers.leave('a1');
    callers.leave('a1');
    callers.leave('b1');
    expect(semaphore.inUse).toBe(0);
  });

  it('should let a caller that gives up leave the queue, and admit the next one', async () => {
    const callers = new Callers(new FairSemaphore({ capacity: 2, perKey: 2 }));
    void callers.ask('a', 'a1', 1);
    const givesUp = new AbortController();
    const refused = callers.ask('b', 'b1', 2, givesUp.signal);
    void callers.ask('c', 'c1', 1);
    await nextTurn();
    expect(callers.letIn).toEqual(['a1']);
    givesUp.abort(new Error('gone'));
    await expect(refused).rejects.toThrow('gone');
    expect(callers.letIn).toEqual(['a1', 'c1']);
  });

  it('should refuse one caller too many of a key, but none of the others', async () => {
    const semaphore = new FairSemaphore({
      capacity: 1,
      perKey: 1,
      maxWaitingPerKey: 1,
      refusal: () => new Error('busy'),
    });
    const callers = new Callers(semaphore);
    await callers.ask('a', 'a1');
    void callers.ask('a', 'a2');
    await expect(callers.ask('a', 'a3')).rejects.toThrow('busy');
    void callers.ask('b', 'b1');
    callers.leave('a1');
    await nextTurn();
    callers.leave(callers.letIn.at(-1)!);
    await nextTurn();
    expect(callers.letIn).toHaveLength(3);
    expect(callers.letIn).toEqual(expect.arrayContaining(['a1', 'a2', 'b1']));
  });

  it('should free the capacity when the work fails', async () => {
    const semaphore = new FairSemaphore({ capacity: 1, perKey: 1 });
    await expect(semaphore.run('a', () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(await semaphore.run('a', () => Promise.resolve(7))).toBe(7);
    expect(semaphore.inUse).toBe(0);
  });

  it('should refuse the newest caller of the longest queue when too many wait in all', async () => {
    const limits = { capacity: 1, perKey: 1, maxWaiting: 3, refusal: () => new Error('busy') };
    const sut = new FairSemaphore(limits);
    const callers = new Callers(sut);
    const refused: string[] = [];
    const ask = (key: string, name: string): Promise<void> =>
      callers.ask(key, name).catch((error: Error) => void refused.push(`${name} ${error.message}`));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name);
    await nextTurn();
    expect(refused).toEqual([]);
    void ask('a', 'a5');
    void ask('b', 'b1');
    void ask('c', 'c1');
    await nextTurn();
    expect(refused).toEqual(['a5 busy', 'a4 busy', 'a3 busy']);
    void ask('d', 'd1');
    await nextTurn();
    expect(refused.at(-1)).toBe('d1 busy');
    for (const name of ['a1', 'a2', 'b1', 'c1']) {
      expect(callers.letIn.at(-1)).toBe(name);
      callers.leave(name);
      await nextTurn();
    }
    expect(sut.inUse).toBe(0);
  });
});
