import { readAhead } from './read-ahead';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) yield number;
}

describe('readAhead', () => {
  it('should keep the order whatever finishes first', async () => {
    const slowFirst = (number: number): Promise<number> =>
      new Promise((resolve) => setTimeout(() => resolve(number), number % 3 === 0 ? 10 : 0));
    const seen: number[] = [];
    for await (const number of readAhead(numbers(20), slowFirst, 4, () => undefined)) seen.push(number);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('should discard what was prepared when it is ended early', async () => {
    const discarded: number[] = [];
    for await (const number of readAhead(
      numbers(20),
      async (item) => item,
      4,
      (item) => discarded.push(item),
    )) {
      if (number === 5) break;
    }
    expect(discarded).toEqual([6, 7, 8]);
  });

  it('should discard what comes after a failure', async () => {
    const discarded: number[] = [];
    const work = async (item: number): Promise<number> => {
      if (item === 2) throw new Error('unreadable');
      return item;
    };
    const drain = async (): Promise<void> => {
      for await (const number of readAhead(numbers(20), work, 4, (item) => discarded.push(item)))
        expect(number).toBeLessThan(2);
    };
    await expect(drain()).rejects.toThrow('unreadable');
    expect(discarded).toEqual([3, 4, 5]);
  });
});
