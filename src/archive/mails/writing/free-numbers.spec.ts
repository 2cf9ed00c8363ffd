import { findFreeNumbers, addNumber } from './free-numbers';

describe('findFreeNumbers', () => {
  const within = async (
    used: ReadonlySet<string>,
    names: string[],
  ): Promise<[Map<string, number>, number]> => {
    let calls = 0;
    const numbers = await findFreeNumbers(names, async (asked) => {
      calls += 1;
      return new Set(asked.filter((name) => used.has(name)));
    });
    return [numbers, calls];
  };
  const upTo = (name: string, last: number): string[] =>
    Array.from({ length: last }, (_, index) => addNumber(name, index + 1));

  it('should be the next number of each name', async () => {
    const used = new Set([...upTo('a', 1), ...upTo('b', 2), ...upTo('c', 37)]);
    expect((await within(used, ['a', 'b', 'c', 'd']))[0]).toEqual(
      new Map([
        ['a', 2],
        ['b', 3],
        ['c', 38],
        ['d', 2],
      ]),
    );
    expect(await within(used, [])).toEqual([new Map(), 0]);
  });

  it('should be free where mails have been deleted', async () => {
    const used = new Set(upTo('a', 100).filter((_, index) => index % 7 !== 3));
    const [numbers] = await within(used, ['a']);
    expect(used.has(addNumber('a', numbers.get('a')!))).toBe(false);
  });

  it('should be found with few queries', async () => {
    const [numbers, calls] = await within(new Set(upTo('a', 100_000)), ['a']);
    expect(numbers.get('a')).toBe(100_001);
    expect(calls).toBeLessThan(40);
  });
});
