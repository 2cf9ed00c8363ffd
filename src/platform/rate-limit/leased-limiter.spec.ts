import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LeasedLimiter } from './leased-limiter';

/** A store that several processes share, and the calls it gets. */
function store(points: number, duration = 60) {
  const limiter = new RateLimiterMemory({ points, duration });
  const consume = jest.spyOn(limiter, 'consume');
  return { process: () => new LeasedLimiter(limiter), consume };
}

async function use(limiter: LeasedLimiter, times: number, key = 'ada'): Promise<number> {
  let passed = 0;
  for (let request = 0; request < times; request += 1) {
    try {
      await limiter.consume(key);
      passed += 1;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
    }
  }
  return passed;
}

describe('LeasedLimiter', () => {
  it('should admit exactly as many requests as there are points', async () => {
    const { process } = store(1_200);
    expect(await use(process(), 1_300)).toBe(1_200);
  });

  it('should count down the remaining points one by one', async () => {
    const sut = store(1_200).process();
    const left: number[] = [];
    for (let request = 0; request < 700; request += 1) left.push((await sut.consume('ada')).remainingPoints);
    expect(left).toEqual(left.map((_, request) => 1_199 - request));
  });

  it('should ask the store for few of the requests in the first half of a window', async () => {
    const { process, consume } = store(1_200);
    await use(process(), 500);
    expect(consume.mock.calls.length).toBeLessThanOrEqual(1 + 500 / 20);
  });

  it('should use the points of a lease without asking, and no more than there are', async () => {
    const { process, consume } = store(1_200);
    const sut = process();
    expect(await use(sut, 2)).toBe(2);
    expect(consume).toHaveBeenCalledTimes(2);
    expect(await use(sut, 19)).toBe(19);
    expect(consume).toHaveBeenCalledTimes(2);
    expect((await sut.consume('ada')).remainingPoints).toBe(1_200 - 22);
    expect(consume).toHaveBeenCalledTimes(3);
  });

  it('should never admit more, with any number of processes, and refuse at most their leases', async () => {
    const { process } = store(1_200);
    const processes = [process(), process(), process()];
    let passed = 0;
    for (let round = 0; round < 450; round += 1) for (const each of processes) passed += await use(each, 1);
    expect(passed).toBeLessThanOrEqual(1_200);
    expect(passed).toBeGreaterThan(1_200 - 3 * 20);
  });

  it('should share a lease among simultaneous requests', async () => {
    const { process, consume } = store(1_200);
    const sut = process();
    await sut.consume('ada');
    await Promise.all(Array.from({ length: 20 }, () => sut.consume('ada')));
    expect(consume).toHaveBeenCalledTimes(2);
  });

  it('should count small limits one by one', async () => {
    const { process, consume } = store(30);
    expect(await use(process(), 40)).toBe(30);
    expect(consume).toHaveBeenCalledTimes(40);
  });

  it('should count heavy requests by their weight, with or without leased points', async () => {
    const sut = store(1_200).process();
    const left: number[] = [];
    for (let request = 0; request < 6; request += 1)
      for (const points of [1, 30, 7]) left.push((await sut.consume('ada', points)).remainingPoints);
    expect(left.at(-1)).toBe(1_200 - 6 * 38);
    expect(left).toEqual([...left].sort((a, b) => b - a));
  });

  it('should count keys separately', async () => {
    const sut = store(120).process();
    expect(await use(sut, 150, 'ada')).toBe(120);
    expect(await use(sut, 150, 'bob')).toBe(120);
  });

  it('should start over when the window has ended', async () => {
    const sut = store(120, 0.05).process();
    expect(await use(sut, 130)).toBe(120);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect((await sut.consume('ada')).remainingPoints).toBe(119);
  });

  it('should pass on the errors of the store, and continue after them', async () => {
    const limiter = new RateLimiterMemory({ points: 1_200, duration: 60 });
    const sut = new LeasedLimiter(limiter);
    await sut.consume('ada');
    jest.spyOn(limiter, 'consume').mockRejectedValueOnce(new Error('away'));
    await expect(sut.consume('ada')).rejects.toThrow('away');
    expect((await sut.consume('ada')).remainingPoints).toBe(1_198);
  });
});
