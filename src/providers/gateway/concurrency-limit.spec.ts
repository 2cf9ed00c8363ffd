import { ConcurrencyLimit } from './concurrency-limit';

async function fill(limit: ConcurrencyLimit, calls: number): Promise<void> {
  const leases = await Promise.all(Array.from({ length: calls }, () => limit.acquire(1, 'background')));
  for (const lease of leases) {
    limit.onAccepted(1, 0);
    lease.release();
  }
}

describe('ConcurrencyLimit', () => {
  it('should grow by one per accepted round, up to its maximum', async () => {
    const limit = new ConcurrencyLimit(2, 4);
    for (let round = 0; round < 40; round++) {
      const leases = await Promise.all(
        Array.from({ length: limit.limit }, () => limit.acquire(1, 'background')),
      );
      const before = limit.limit;
      for (let call = 0; call < before; call++) limit.onAccepted(1, 0);
      expect(limit.limit).toBe(Math.min(4, before + 1));
      for (const lease of leases) lease.release();
    }
    expect(limit.limit).toBe(4);
  });

  it('should not grow while it is not used', async () => {
    const limit = new ConcurrencyLimit(8, 32);
    for (let round = 0; round < 100; round++) await fill(limit, 1);
    expect(limit.limit).toBe(8);
  });

  it('should halve once per burst of refusals, never below one', () => {
    const limit = new ConcurrencyLimit(8, 32);
    limit.onRefused(1_000);
    limit.onRefused(1_200);
    expect(limit.limit).toBe(4);
    limit.onRefused(2_500);
    limit.onRefused(4_000);
    limit.onRefused(6_000);
    expect(limit.limit).toBe(1);
  });

  it('should stay below the point of a refusal for a minute', async () => {
    const limit = new ConcurrencyLimit(8, 32);
    limit.onRefused(0);
    const grow = async (now: number) => {
      for (let call = 0; call < 200; call++) {
        const leases = await Promise.all(
          Array.from({ length: limit.limit }, () => limit.acquire(1, 'background')),
        );
        limit.onAccepted(1, now);
        for (const lease of leases) lease.release();
      }
      return limit.limit;
    };
    expect(await grow(30_000)).toBe(7);
    expect(await grow(61_000)).toBeGreaterThan(8);
  });

  it('should count a batch as its parts', async () => {
    const limit = new ConcurrencyLimit(4, 32);
    const lease = await limit.acquire(4, 'background');
    limit.onAccepted(4, 0);
    expect(limit.limit).toBe(5);
    lease.release();
    expect(limit.idle).toBe(true);
  });
});
