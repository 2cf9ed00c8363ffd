import type { RedisService } from '../../platform/redis/redis.service';
import { RecentUsage } from './recent-usage';

/** The part of Redis that `RecentUsage` uses, which can be made to fail. */
class Store {
  readonly hashes = new Map<string, Record<string, string>>();
  trouble: 'none' | 'refuses' | 'answer-lost' = 'none';

  readonly client = {
    hgetall: async (key: string) => this.hashes.get(key) ?? {},
    multi: () => {
      const changes: [string, Record<string, string>][] = [];
      const chain = {
        hset: (key: string, fields: Record<string, string>) => (changes.push([key, fields]), chain),
        expire: () => chain,
        exec: async () => {
          if (this.trouble !== 'refuses') {
            for (const [key, fields] of changes) this.hashes.set(key, { ...this.hashes.get(key), ...fields });
          }
          if (this.trouble !== 'none') throw new Error('Command timed out');
        },
      };
      return chain;
    },
  };

  key(...parts: string[]): string {
    return parts.join(':');
  }
}

const NOW = Date.parse('2026-03-01T12:00:10.500Z');
const SECOND = 1_000;

describe('RecentUsage', () => {
  let store: Store;
  const process = (): RecentUsage => new RecentUsage(store as unknown as RedisService);

  beforeEach(() => {
    store = new Store();
  });

  it.each<[string, number, number]>([
    ['now', 0, 1],
    ['59 seconds ago', -59 * SECOND, 1],
    ['at the start of the sixtieth second back', -59 * SECOND - 500, 1],
    ['just before it', -59 * SECOND - 501, 0],
    ['60 seconds ago', -60 * SECOND, 0],
    ['in the minute before, on the clock', -20 * SECOND, 1],
    ['by a clock that is ahead', 2 * SECOND, 1],
  ])('should count usage %s as %d', async (_when, offset, calls) => {
    const sut = process();
    sut.record('a', 5, 1, NOW + offset);
    await sut.write(NOW);
    expect(await sut.sumLastMinute('a', NOW)).toEqual({ units: 5 * calls, calls });
  });

  it('should drop each second in turn', async () => {
    const sut = process();
    for (let second = 0; second < 60; second++) sut.record('a', 5, 1, NOW - second * SECOND);
    await sut.write(NOW);
    for (let later = 0; later <= 61; later++) {
      const { calls } = await sut.sumLastMinute('a', NOW + later * SECOND);
      expect(calls).toBe(Math.max(0, 60 - later));
    }
  });

  it('should add up all processes, and keep accounts separate', async () => {
    const [first, second] = [process(), process()];
    first.record('a', 5, 1, NOW);
    first.record('a', 5, 1, NOW + 100);
    first.record('b', 7, 1, NOW);
    second.record('a', 50, 10, NOW);
    await Promise.all([first.write(NOW), second.write(NOW)]);
    expect(await second.sumLastMinute('a', NOW)).toEqual({ units: 60, calls: 12 });
    expect(await second.sumLastMinute('b', NOW)).toEqual({ units: 7, calls: 1 });
  });

  it('should add to a second that has already been written', async () => {
    const sut = process();
    sut.record('a', 5, 1, NOW);
    await sut.write(NOW);
    sut.record('a', 5, 1, NOW + 400);
    await sut.write(NOW + 400);
    expect(await sut.sumLastMinute('a', NOW + 400)).toEqual({ units: 10, calls: 2 });
  });

  it.each(['refuses', 'answer-lost'] as const)(
    'should count usage once that it had to write twice (%s)',
    async (trouble) => {
      const sut = process();
      sut.record('a', 5, 1, NOW);
      store.trouble = trouble;
      await expect(sut.write(NOW)).rejects.toThrow('timed out');
      sut.record('a', 5, 1, NOW + SECOND);
      await expect(sut.write(NOW + SECOND)).rejects.toThrow('timed out');
      store.trouble = 'none';
      await sut.write(NOW + 10 * SECOND);
      expect(await sut.sumLastMinute('a', NOW + 10 * SECOND)).toEqual({ units: 10, calls: 2 });
    },
  );

  it('should drop counts that are no longer needed', async () => {
    const sut = process();
    sut.record('a', 5, 1, NOW);
    store.trouble = 'refuses';
    await expect(sut.write(NOW + 121 * SECOND)).rejects.toThrow('timed out');
    store.trouble = 'none';
    await sut.write(NOW + 122 * SECOND);
    expect(store.hashes.size).toBe(0);
  });
});
