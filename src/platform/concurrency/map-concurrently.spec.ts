import { setTimeout as sleep } from 'node:timers/promises';
import { mapConcurrently, groupInBatches } from './map-concurrently';

const LIMITS = { concurrency: 4, maxWaiting: 10, maxWaitingWeight: 1_000, weigh: () => 1 };
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

describe('mapConcurrently', () => {
  it('should map every item once, within the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await collect(
      mapConcurrently(
        range(50),
        async (item) => {
          most = Math.max(most, ++running);
          await sleep(item % 3);
          running--;
          return item * 2;
        },
        LIMITS,
      ),
    );
    expect(results.sort((a, b) => a - b)).toEqual(range(50).map((item) => item * 2));
    expect(most).toBe(4);
  });

  it.each([
    ['count', { maxWaiting: 6 }, 7],
    ['weight', { maxWaitingWeight: 8, weigh: () => 2 }, 9],
  ])('should not run ahead of its consumer by more than the limit of %s', async (_what, limit, most) => {
    let begun = 0;
    const sut = mapConcurrently(
      range(100),
      async () => {
        begun++;
      },
      { ...LIMITS, ...limit },
    );
    await sut.next();
    await sleep(20);
    expect(begun).toBeLessThanOrEqual(most);
    await sut.return();
  });

  it('should keep working while its consumer is busy', async () => {
    let begun = 0;
    const sut = mapConcurrently(
      range(100),
      async () => {
        begun++;
        await sleep(1);
      },
      LIMITS,
    );
    await sut.next();
    await sleep(50);
    expect(begun).toBeGreaterThan(4);
    await sut.return();
  });

  it('should yield finished results, then throw, and leave nothing running when an item fails', async () => {
    let running = 0;
    const seen: number[] = [];
    const sut = mapConcurrently(
      range(100),
      async (item) => {
        running++;
        try {
          await sleep(2 + (item % 4));
          if (item === 9) throw new Error('nine');
          return item;
        } finally {
          running--;
        }
      },
      LIMITS,
    );
    await expect(
      (async () => {
        for await (const item of sut) seen.push(item);
      })(),
    ).rejects.toThrow('nine');
    expect(running).toBe(0);
    expect(seen).toEqual(expect.arrayContaining(range(6)));
    expect(seen.length).toBeLessThan(20);
  });

  it('should wait for started work when the consumer stops', async () => {
    let running = 0;
    for await (const item of mapConcurrently(
      range(20),
      async (value) => {
        running++;
        await sleep(5);
        running--;
        return value;
      },
      LIMITS,
    )) {
      expect(item).toBeLessThan(20);
      break;
    }
    expect(running).toBe(0);
  });
});

describe('groupInBatches', () => {
  const batchesOf = (items: AsyncGenerator<number, void, undefined>, limits = {}): AsyncIterable<number[]> =>
    groupInBatches(items, {
      maxCount: 3,
      maxWeight: 1_000,
      maxDelayMs: 1_000,
      weigh: (item) => item,
      ...limits,
    });

  async function* quick(...items: number[]): AsyncGenerator<number, void, undefined> {
    yield* items;
  }

  it('should group by count and yield the rest', async () => {
    expect(await collect(batchesOf(quick(1, 2, 3, 4, 5)))).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(await collect(batchesOf(quick()))).toEqual([]);
  });

  it('should group by weight', async () => {
    expect(await collect(batchesOf(quick(6, 6, 6), { maxWeight: 10 }))).toEqual([[6, 6], [6]]);
  });

  it('should not hold items back for a slow source', async () => {
    async function* slow(): AsyncGenerator<number, void, undefined> {
      yield 1;
      await sleep(100);
      yield 2;
    }
    expect(await collect(batchesOf(slow(), { maxDelayMs: 20 }))).toEqual([[1], [2]]);
  });

  it('should yield gathered items before an error', async () => {
    async function* failing(): AsyncGenerator<number, void, undefined> {
      yield 1;
      yield 2;
      throw new Error('broken');
    }
    const seen: number[][] = [];
    await expect(
      (async () => {
        for await (const batch of batchesOf(failing())) seen.push(batch);
      })(),
    ).rejects.toThrow('broken');
    expect(seen).toEqual([[1, 2]]);
  });
});
