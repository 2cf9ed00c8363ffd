import { mapOneAhead } from './map-one-ahead';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) yield number;
}

describe('mapOneAhead', () => {
  it('should work on the next item, and on no other, while a result is consumed', async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<number> => {
      begun.push(item);
      return item * 2;
    };
    const seen: number[] = [];
    for await (const number of mapOneAhead(numbers(4), work)) {
      seen.push(number);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(begun).toHaveLength(Math.min(seen.length + 1, 4));
    }
    expect(seen).toEqual([0, 2, 4, 6]);
  });

  it('should never work on two at a time', async () => {
    let atWork = 0;
    const work = async (): Promise<void> => {
      expect((atWork += 1)).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      atWork -= 1;
    };
    let results = 0;
    for await (const result of mapOneAhead(numbers(5), work)) {
      expect(result).toBeUndefined();
      results += 1;
    }
    expect(results).toBe(5);
  });

  it('should abort the running work when it is ended early, and wait for it', async () => {
    let finished = 0;
    const signals: AbortSignal[] = [];
    const work = async (item: number, signal: AbortSignal): Promise<number> => {
      signals.push(signal);
      if (item > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      finished += 1;
      return item;
    };
    for await (const number of mapOneAhead(numbers(9), work)) if (number === 0) break;
    expect(finished).toBe(2);
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });

  it('should yield the results before a failure', async () => {
    const work = async (item: number): Promise<number> => {
      if (item === 2) throw new Error('unreadable');
      return item;
    };
    const seen: number[] = [];
    const drain = async (): Promise<void> => {
      for await (const number of mapOneAhead(numbers(5), work)) seen.push(number);
    };
    await expect(drain()).rejects.toThrow('unreadable');
    expect(seen).toEqual([0, 1]);
  });
});
