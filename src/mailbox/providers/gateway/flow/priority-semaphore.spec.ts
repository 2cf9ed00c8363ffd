import { PrioritySemaphore } from './priority-semaphore';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('PrioritySemaphore', () => {
  it('admits up to its limit and hands on what is released', async () => {
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

  it('serves interactive callers first, each class in order of arrival', async () => {
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

  it('does not starve background callers', async () => {
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

  it('lets nobody overtake a heavier caller', async () => {
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

  it('admits a weight above the limit alone', async () => {
    const semaphore = new PrioritySemaphore(2);
    const lease = await semaphore.acquire(10, 'background');
    expect(semaphore.inUse).toBe(10);
    lease.release();
    expect(semaphore.inUse).toBe(0);
  });

  it('counts what a lease grew by', async () => {
    const semaphore = new PrioritySemaphore(10);
    const lease = await semaphore.acquire(5, 'background');
    lease.grow(5);
    let admitted = false;
    void semaphore.acquire(1, 'background').then(() => (admitted = true));
    await settle();
    expect(admitted).toBe(false);
    lease.release();
    await settle();
    expect(admitted).toBe(true);
    expect(semaphore.inUse).toBe(1);
  });

  it('forgets a caller that aborts, and serves those behind it', async () => {
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
});
