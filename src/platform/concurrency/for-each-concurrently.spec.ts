import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrently } from './for-each-concurrently';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function* asynchronously(items: readonly number[], onEnd = (): void => {}): AsyncGenerator<number> {
  try {
    for (const item of items) {
      await sleep(1);
      yield item;
    }
  } finally {
    onEnd();
  }
}

describe('forEachConcurrently', () => {
  it.each([
    ['an array', () => range(20)],
    ['a generator', () => asynchronously(range(20))],
  ])('should process each item of %s once, up to the limit at a time', async (_source, items) => {
    let running = 0;
    let most = 0;
    const seen: number[] = [];
    await forEachConcurrently(items(), 3, async (item) => {
      most = Math.max(most, ++running);
      await sleep(5);
      running--;
      seen.push(item);
    });
    expect(seen.sort((a, b) => a - b)).toEqual(range(20));
    expect(most).toBe(3);
  });

  it('should start nothing after a failure, and throw once nothing is running', async () => {
    const begun: number[] = [];
    const finished: number[] = [];
    let isSourceEnded = false;
    const items = asynchronously(range(20), () => (isSourceEnded = true));
    const all = forEachConcurrently(items, 2, async (item) => {
      begun.push(item);
      if (item === 3) throw new Error('three');
      await sleep(10);
      finished.push(item);
    });
    await expect(all).rejects.toThrow('three');
    expect(begun.length).toBeLessThan(7);
    expect(finished).toEqual(begun.filter((item) => item !== 3));
    expect(isSourceEnded).toBe(true);
  });

  it('should do nothing for no items', async () => {
    const work = jest.fn();
    await forEachConcurrently([], 4, work);
    expect(work).not.toHaveBeenCalled();
  });
});
