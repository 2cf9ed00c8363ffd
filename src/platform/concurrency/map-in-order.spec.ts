import { mapInOrder } from './map-in-order';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) yield number;
}

describe('mapInOrder', () => {
  it('should keep the order whatever finishes first', async () => {
    const slowFirst = (number: number): Promise<number> =>
      new Promise((resolve) => setTimeout(() => resolve(number), number % 3 === 0 ? 10 : 0));
    const seen: number[] = [];
    for await (const number of mapInOrder(numbers(20), slowFirst, 4)) seen.push(number);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('should start nothing more and abort the running work when it is ended early', async () => {
    const begun: number[] = [];
    const signals: AbortSignal[] = [];
    const work = async (item: number, signal: AbortSignal): Promise<number> => {
      begun.push(item);
      signals.push(signal);
      return item;
    };
    for await (const number of mapInOrder(numbers(20), work, 4)) {
      expect(signals.every((signal) => !signal.aborted)).toBe(true);
      if (number === 5) break;
    }
    expect(begun.at(-1)).toBe(8);
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });

  it('should wait for the running work before it fails', async () => {
    const finished: number[] = [];
    const work = async (item: number): Promise<number> => {
      if (item === 2) throw new Error('unreadable');
      await new Promise((resolve) => setTimeout(resolve, 5));
      finished.push(item);
      return item;
    };
    const drain = async (): Promise<void> => {
      for await (const number of mapInOrder(numbers(20), work, 4)) expect(number).toBeLessThan(2);
    };
    await expect(drain()).rejects.toThrow('unreadable');
    expect(finished.sort()).toEqual([0, 1, 3, 4]);
  });

  it('should yield finished results while the source is still producing its next item', async () => {
    let release: () => void = () => undefined;
    const slow = async function* (): AsyncGenerator<number> {
      yield 0;
      await new Promise<void>((resolve) => (release = resolve));
      yield 1;
    };
    const sut = mapInOrder(slow(), async (number) => number, 4);
    expect(await sut.next()).toEqual({ done: false, value: 0 });
    release();
    expect(await sut.next()).toEqual({ done: false, value: 1 });
    expect(await sut.next()).toEqual({ done: true, value: undefined });
  });

  it('should throw the failure of a source after the results before it', async () => {
    const failing = async function* (): AsyncGenerator<number> {
      yield 0;
      yield 1;
      throw new Error('no more rows');
    };
    const seen: number[] = [];
    const drain = async (): Promise<void> => {
      for await (const number of mapInOrder(failing(), async (item) => item, 4)) seen.push(number);
    };
    await expect(drain()).rejects.toThrow('no more rows');
    expect(seen).toEqual([0, 1]);
  });

  it('should not abort what its results still use after it has finished', async () => {
    const signals: AbortSignal[] = [];
    const work = async (number: number, signal: AbortSignal): Promise<number> => {
      signals.push(signal);
      return number;
    };
    for await (const number of mapInOrder(numbers(3), work, 2)) expect(number).toBeLessThan(3);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  });
});
