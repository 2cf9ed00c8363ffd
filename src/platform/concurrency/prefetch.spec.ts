import { setImmediate as turn } from 'node:timers/promises';
import { prefetch } from './prefetch';

describe('prefetch', () => {
  let asked: number[];
  let isSourceEnded: boolean;
  const stop = jest.fn();
  const discard = jest.fn();

  async function* source(count: number, failAt = Infinity): AsyncGenerator<number, void, undefined> {
    try {
      for (let item = 0; item < count; item += 1) {
        asked.push(item);
        if (item === failAt) throw new Error('unreadable');
        yield item;
      }
    } finally {
      isSourceEnded = true;
    }
  }

  beforeEach(() => {
    asked = [];
    isSourceEnded = false;
    stop.mockReset();
    discard.mockReset();
  });

  it('should request the next item while one is being processed, and no more than that', async () => {
    const seen: number[] = [];
    for await (const item of prefetch(source(4), stop, discard)) {
      await turn();
      expect(asked.at(-1)).toBe(Math.min(item + 1, 3));
      seen.push(item);
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(stop).not.toHaveBeenCalled();
    expect(discard).not.toHaveBeenCalled();
  });

  it('should stop the source and discard the item ahead when the consumer ends early', async () => {
    for await (const item of prefetch(source(10), stop, discard)) if (item === 2) break;
    expect(stop).toHaveBeenCalledTimes(1);
    expect(discard.mock.calls).toEqual([[3]]);
    expect(isSourceEnded).toBe(true);
  });

  it('should discard nothing when the source has no item ahead', async () => {
    for await (const item of prefetch(source(3), stop, discard)) if (item === 2) break;
    expect(discard).not.toHaveBeenCalled();
    expect(isSourceEnded).toBe(true);
  });

  it('should yield the items before a failure, then throw it', async () => {
    const seen: number[] = [];
    const drain = async (): Promise<void> => {
      for await (const item of prefetch(source(10, 2), stop, discard)) {
        await turn();
        seen.push(item);
      }
    };
    await expect(drain()).rejects.toThrow('unreadable');
    expect(seen).toEqual([0, 1]);
    expect(stop).not.toHaveBeenCalled();
  });

  it('should end quietly when the item ahead fails after the consumer has ended', async () => {
    for await (const item of prefetch(source(10, 1), stop, discard)) {
      expect(item).toBe(0);
      break;
    }
    expect(stop).toHaveBeenCalledTimes(1);
    expect(discard).not.toHaveBeenCalled();
  });
});
