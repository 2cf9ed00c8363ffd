import { Lease, PrioritySemaphore } from './priority-semaphore';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('PrioritySemaphore', () => {
  it('should admit up to its limit and pass on released shares', async () => {
    const semaphore = new PrioritySemaphore(2);
    const first = await semaphore.acquire(1, 'background');
    await semaphore.acquire(1, 'background');
    let third = false;
    void semaphore.acquire(1, 'background').then(() => (third = true));
    await settle();
    expect(third).toBe(false);
    first.release();
    first.release();
    await settle();
    expect(third).toBe(true);
    expect(semaphore.inUse).toBe(2);
  });

  it('should serve interactive callers first, each class in order of arrival', async () => {
    const semaphore = new PrioritySemaphore(1);
    const order: string[] = [];
    const held = await semaphore.acquire(1, 'background');
    const ask = async (name: string, priority: 'interactive' | 'background') => {
      const lease = await semaphore.acquire(1, priority);
      order.push(name);
      lease.release();
    };
    const all = [
      ask('b1', 'background'),
      ask('b2', 'background'),
      ask('i1', 'interactive'),
      ask('i2', 'interactive'),
    ];
    held.release();
    await Promise.all(all);
    expect(order).toEqual(['i1', 'i2', 'b1', 'b2']);
  });

  it('should serve spare callers last, unless they have waited for a minute', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const semaphore = new PrioritySemaphore(1);
    const order: string[] = [];
    const held = await semaphore.acquire(1, 'background');
    const ask = async (name: string, priority: 'interactive' | 'background' | 'spare') => {
      const lease = await semaphore.acquire(1, priority);
      order.push(name);
      lease.release();
    };
    const old = [ask('s1', 'spare')];
    jest.advanceTimersByTime(60_000);
    const all = [
      ...old,
      ask('s2', 'spare'),
      ask('b1', 'background'),
      ask('b2', 'background'),
      ask('i1', 'interactive'),
    ];
    expect(semaphore.waiting).toBe(5);
    held.release();
    await Promise.all(all);
    jest.useRealTimers();
    expect(order).toEqual(['i1', 's1', 'b1', 'b2', 's2']);
  });

  it('should not starve background callers', async () => {
    const semaphore = new PrioritySemaphore(1);
    const order: string[] = [];
    const held = await semaphore.acquire(1, 'interactive');
    const ask = async (name: string, priority: 'interactive' | 'background') => {
      const lease = await semaphore.acquire(1, priority);
      order.push(name);
      lease.release();
    };
    const all = [ask('b', 'background'), ...Array.from({ length: 50 }, () => ask('i', 'interactive'))];
    held.release();
    await Promise.all(all);
    expect(order.indexOf('b')).toBeGreaterThan(5);
    expect(order.indexOf('b')).toBeLessThan(30);
  });

  it('should let no caller overtake a heavier one', async () => {
    const semaphore = new PrioritySemaphore(4);
    const held = await semaphore.acquire(2, 'background');
    const order: string[] = [];
    const heavy = semaphore.acquire(4, 'background').then((lease) => {
      order.push('heavy');
      lease.release();
    });
    const light = semaphore.acquire(1, 'background').then(() => order.push('light'));
    await settle();
    expect(order).toEqual([]);
    held.release();
    await Promise.all([heavy, light]);
    expect(order).toEqual(['heavy', 'light']);
  });

  it('should admit a weight above the limit alone', async () => {
    const semaphore = new PrioritySemaphore(2);
    const lease = await semaphore.acquire(10, 'background');
    expect(semaphore.inUse).toBe(10);
    lease.release();
    expect(semaphore.inUse).toBe(0);
  });

  it('should count the growth of a lease', async () => {
    const semaphore = new PrioritySemaphore(10);
    const lease = await semaphore.acquire(5, 'background');
    expect(lease.grow(5)).toBeUndefined();
    let admitted = false;
    void semaphore.acquire(1, 'background').then(() => (admitted = true));
    await settle();
    expect(admitted).toBe(false);
    lease.release();
    await settle();
    expect(admitted).toBe(true);
    expect(semaphore.inUse).toBe(1);
  });

  it('should forget a caller that aborts, and serve those behind it', async () => {
    const semaphore = new PrioritySemaphore(2);
    await semaphore.acquire(1, 'background');
    const controller = new AbortController();
    const heavy = semaphore.acquire(2, 'background', controller.signal);
    const light = semaphore.acquire(1, 'background');
    controller.abort(new Error('cancelled'));
    await expect(heavy).rejects.toThrow('cancelled');
    await expect(light).resolves.toBeDefined();
    expect(semaphore.waiting).toBe(0);
    await expect(semaphore.acquire(1, 'background', controller.signal)).rejects.toThrow('cancelled');
  });

  describe('growth', () => {
    /** Grows, and notes under `name` when it is granted. */
    const grown: string[] = [];
    const grow = (lease: Lease, weight: number, name: string, signal?: AbortSignal): void => {
      const wait = lease.grow(weight, signal);
      if (!wait) grown.push(name);
      else
        void wait.then(
          () => grown.push(name),
          (error: Error) => grown.push(`${name}: ${error.message}`),
        );
    };

    beforeEach(() => {
      grown.length = 0;
    });

    it('should make growth that does not fit wait, the oldest lease first, before new callers', async () => {
      const semaphore = new PrioritySemaphore(10);
      const [first, second, third] = [
        await semaphore.acquire(1, 'background'),
        await semaphore.acquire(1, 'background'),
        await semaphore.acquire(1, 'background'),
      ];
      grow(first, 7, 'first');
      grow(third, 5, 'third');
      grow(second, 5, 'second');
      let admitted = false;
      void semaphore.acquire(1, 'background').then(() => (admitted = true));
      await settle();
      expect(grown).toEqual(['first']);
      expect(semaphore.inUse).toBe(10);
      first.release();
      await settle();
      expect(grown).toEqual(['first', 'second']);
      expect(admitted).toBe(false);
      second.release();
      await settle();
      expect(grown).toEqual(['first', 'second', 'third']);
      expect(admitted).toBe(true);
      third.release();
      expect(semaphore.inUse).toBe(1);
    });

    it('should let the oldest continue when all growing leases wait for each other', async () => {
      const semaphore = new PrioritySemaphore(10);
      const leases = [];
      for (const name of ['a', 'b', 'c']) {
        const lease = await semaphore.acquire(1, 'background');
        grow(lease, 2, name);
        leases.push(lease);
      }
      grow(leases[2]!, 4, 'c again');
      grow(leases[1]!, 4, 'b again');
      expect(grown).toEqual(['a', 'b', 'c']);
      grow(leases[0]!, 4, 'a again');
      await settle();
      expect(grown.slice(3)).toEqual(['a again']);
      expect(semaphore.inUse).toBe(13);
      grow(leases[0]!, 100, 'a once more');
      await settle();
      expect(grown.slice(3)).toEqual(['a again', 'a once more']);
      leases[0]!.release();
      await settle();
      expect(grown.slice(5)).toEqual(['b again']);
      leases[1]!.release();
      await settle();
      expect(grown.slice(6)).toEqual(['c again']);
    });

    it('should not wait for leases that do not grow, since they may hold theirs for long', async () => {
      const semaphore = new PrioritySemaphore(10);
      await semaphore.acquire(8, 'background');
      const lease = await semaphore.acquire(1, 'background');
      grow(lease, 50, 'beyond');
      expect(grown).toEqual(['beyond']);
    });

    it('should admit interactive callers that fit, and those that need nothing', async () => {
      const semaphore = new PrioritySemaphore(10);
      const first = await semaphore.acquire(1, 'background');
      grow(first, 5, 'first');
      const second = await semaphore.acquire(1, 'background');
      grow(second, 5, 'second');
      let background = false;
      void semaphore.acquire(1, 'background').then(() => (background = true));
      await semaphore.acquire(1, 'interactive');
      await semaphore.acquire(0, 'background');
      expect(grown).toEqual(['first']);
      expect(background).toBe(false);
    });

    it('should stop waiting when the signal aborts', async () => {
      const semaphore = new PrioritySemaphore(10);
      const first = await semaphore.acquire(1, 'background');
      grow(first, 8, 'first');
      const second = await semaphore.acquire(1, 'background');
      const controller = new AbortController();
      grow(second, 5, 'second', controller.signal);
      controller.abort(new Error('cancelled'));
      await settle();
      expect(grown).toEqual(['first', 'second: cancelled']);
      second.release();
      first.release();
      expect(semaphore.inUse).toBe(0);
      const third = await semaphore.acquire(1, 'background');
      await expect(third.grow(20, controller.signal) ?? Promise.resolve()).resolves.toBeUndefined();
    });

    it('should never stall, however leases grow: every caller gets through with little excess', async () => {
      const semaphore = new PrioritySemaphore(100);
      let seed = 7;
      const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
      let peak = 0;
      let done = 0;
      const one = async (): Promise<void> => {
        const lease = await semaphore.acquire(1 + random(4), random(5) ? 'background' : 'interactive');
        for (let step = random(12); step >= 0; step--) {
          await lease.grow(1 + random(10));
          peak = Math.max(peak, semaphore.inUse);
          await settle();
        }
        lease.release();
        done += 1;
      };
      await Promise.all(Array.from({ length: 500 }, one));
      expect(done).toBe(500);
      expect(semaphore.inUse).toBe(0);
      expect(peak).toBeGreaterThan(90);
      expect(peak).toBeLessThanOrEqual(100 + 12 * 10);
    });
  });
});
