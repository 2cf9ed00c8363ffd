import { StoreAllowance, StoreTooSlow } from './store-allowance';

const allowance = (totalMs: number, bytesPerSecond = 100_000): StoreAllowance =>
  new StoreAllowance({ totalMs, pace: { graceMs: 1_000, bytesPerSecond } });

/** Brings `pieces` chunks, each after `everyMs`; ends with the signal. */
async function* chunks(
  signal: AbortSignal,
  pieces: number,
  everyMs: number,
  bytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  for (let piece = 0; piece < pieces; piece += 1) {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, everyMs);
      signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)));
    });
    yield Buffer.alloc(bytes, 'x');
  }
}

describe('StoreAllowance', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const spend = (sut: StoreAllowance, pieces: number, everyMs: number, bytes: number): Promise<unknown> =>
    sut
      .read(async (signal) => chunks(signal, pieces, everyMs, bytes))
      .then(
        (read) => read.length,
        (error: unknown) => error,
      );

  it('should read from a store that keeps the pace', async () => {
    const sut = allowance(60_000, 1_000);
    const read = spend(sut, 30, 500, 600);
    await jest.advanceTimersByTimeAsync(20_000);
    expect([await read, sut.isUsedUp]).toEqual([18_000, false]);
  });

  it('should end all reads from a trickling store, and start no others', async () => {
    const sut = allowance(60_000);
    const reads = [spend(sut, 1_000, 100, 1), spend(sut, 1_000, 100, 1)];
    await jest.advanceTimersByTimeAsync(2_000);
    expect([...(await Promise.all(reads)), await spend(sut, 1, 0, 1)]).toEqual(
      Array.from({ length: 3 }, () => expect.any(StoreTooSlow)),
    );
    expect(sut.isUsedUp).toBe(true);
  });

  it('should add up the time of mails that each take long', async () => {
    const sut = allowance(60_000);
    let done = 0;
    for (let mail = 0; mail < 10 && !sut.isUsedUp; mail += 1) {
      const read = spend(sut, 1, 900, 10);
      await jest.advanceTimersByTimeAsync(1_000);
      if (typeof (await read) === 'number') done += 1;
    }
    expect(done).toBe(1);
  });

  it('should end a read whose time is up, even if it keeps the pace', async () => {
    const sut = allowance(5_000, 1_000);
    const read = spend(sut, 1_000, 100, 1_000);
    await jest.advanceTimersByTimeAsync(5_200);
    expect(await read).toBeInstanceOf(StoreTooSlow);
  });

  it('should not count the time between reads', async () => {
    const sut = allowance(5_000, 1_000);
    for (let mail = 0; mail < 3; mail += 1) {
      const read = spend(sut, 1, 100, 1_000);
      await jest.advanceTimersByTimeAsync(100_000);
      expect(await read).toBe(1_000);
    }
    expect(sut.isUsedUp).toBe(false);
  });
});
