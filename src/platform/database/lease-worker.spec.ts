import { AsyncLocalStorage } from 'node:async_hooks';
import type { Lease, Renewal } from './leased-rows';
import { LeaseLost, LeaseWorker, LeaseWorkerOptions, usersAtLimit, WorkerStopping } from './lease-worker';

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  return { promise: new Promise<T>((settle) => (resolve = settle)), resolve };
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('LeaseWorker', () => {
  let table: string[];
  let asked: number[];
  let run: jest.Mock<Promise<void>, [string, AbortSignal]>;
  const logger = { warn: jest.fn(), error: jest.fn() };
  const worker = (options: Partial<LeaseWorkerOptions<string>> = {}): LeaseWorker<string> =>
    new LeaseWorker<string>({
      slots: 2,
      claim: async (free) => {
        asked.push(free);
        return table.splice(0, free);
      },
      run,
      logger,
      ...options,
    });
  const works = (): string[] => run.mock.calls.map(([work]) => work);

  beforeEach(() => {
    table = [];
    asked = [];
    jest.resetAllMocks();
    run = jest.fn().mockResolvedValue(undefined);
  });

  it('should work until nothing can be claimed', async () => {
    table = ['a', 'b', 'c', 'd', 'e'];
    const sut = worker();
    await sut.drain();
    expect(works()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(sut.freeSlots).toBe(2);
  });

  it('should not work in the async context of its caller', async () => {
    const caller = new AsyncLocalStorage<string>();
    const callers: unknown[] = [];
    run.mockImplementation(async () => void callers.push(caller.getStore()));
    table = ['a'];
    const sut = worker();
    await caller.run('a request', () => sut.drain());
    expect(callers).toEqual([undefined]);
  });

  it('should consider running work when it claims', async () => {
    const end = deferred<void>();
    run.mockReturnValueOnce(end.promise);
    table = ['a', 'a', 'b', 'a'];
    const claim = async (_free: number, running: readonly string[]): Promise<string[]> => {
      const next = table.findIndex((user) => !usersAtLimit(1, running).includes(user));
      return next < 0 ? [] : table.splice(next, 1);
    };
    const sut = worker({ claim });
    const working = sut.drain();
    await settled();
    expect([works(), table]).toEqual([
      ['a', 'b'],
      ['a', 'a'],
    ]);
    end.resolve();
    await working;
    expect(works()).toEqual(['a', 'b', 'a', 'a']);
  });

  it('should claim no more than it has slots for', async () => {
    const ends = Array.from({ length: 3 }, () => deferred<void>());
    ends.forEach(({ promise }) => run.mockReturnValueOnce(promise));
    table = ['a', 'b', 'c'];
    const sut = worker();
    const working = sut.drain();
    await settled();
    expect([works(), asked, sut.freeSlots]).toEqual([['a', 'b'], [2], 0]);
    ends[1]!.resolve();
    await settled();
    expect([works(), asked]).toEqual([
      ['a', 'b', 'c'],
      [2, 1],
    ]);
    ends[0]!.resolve();
    ends[2]!.resolve();
    await working;
  });

  it('should claim again when woken while its last claim is in progress', async () => {
    const claims: Deferred<string[]>[] = [];
    const sut = worker({ claim: () => (claims.push(deferred()), claims.at(-1)!.promise) });
    sut.start();
    const calls = [sut.work(), sut.work()];
    claims[0]!.resolve([]);
    await settled();
    expect(claims).toHaveLength(2);
    claims[1]!.resolve(['late']);
    await settled();
    claims[2]!.resolve([]);
    await settled();
    claims[3]!.resolve([]);
    await Promise.all(calls);
    expect(works()).toEqual(['late']);
  });

  it('should have as many calls waiting as pieces of work running', async () => {
    const ends = Array.from({ length: 2 }, () => deferred<void>());
    ends.forEach(({ promise }) => run.mockReturnValueOnce(promise));
    const answered: string[] = [];
    const sut = worker();
    sut.start();
    await settled();
    const call = (name: string): void => void sut.work().then(() => answered.push(name));
    table = ['long'];
    call('first');
    await settled();
    table = ['short'];
    call('second');
    await settled();
    expect(answered).toEqual([]);
    ends[1]!.resolve();
    await settled();
    expect(answered).toEqual(['first']);
    call('third');
    await settled();
    expect(answered).toEqual(['first', 'second']);
    ends[0]!.resolve();
    await settled();
    expect(answered).toEqual(['first', 'second', 'third']);
  });

  it('should continue when a claim or a piece of work fails', async () => {
    const claim = jest
      .fn<Promise<string[]>, []>()
      .mockRejectedValueOnce(new Error('database away'))
      .mockResolvedValueOnce(['a'])
      .mockResolvedValue([]);
    run.mockRejectedValueOnce(new Error('broken'));
    const sut = worker({ claim });
    sut.start();
    await sut.work();
    await sut.work();
    await sut.drain();
    expect(logger.warn).toHaveBeenCalledWith('Could not claim work: database away');
    expect(logger.error).toHaveBeenCalledTimes(1);
    expect(sut.freeSlots).toBe(2);
  });

  it('should claim nothing before it has started', async () => {
    table = ['a'];
    const sut = worker();
    const call = sut.work();
    await settled();
    expect(asked).toEqual([]);
    sut.start();
    await call;
    expect(works()).toEqual(['a']);
  });

  it('should look for work from time to time', async () => {
    jest.useFakeTimers();
    const sut = worker({ pollMs: 100 });
    sut.start();
    await jest.advanceTimersByTimeAsync(50);
    table = ['a'];
    await jest.advanceTimersByTimeAsync(60);
    expect(works()).toEqual(['a']);
    await sut.stop({ abortMs: 0 });
    table = ['b'];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(works()).toEqual(['a']);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('should let work finish when it stops, then abort it, then abandon it', async () => {
    jest.useFakeTimers();
    const obedient = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    run.mockImplementation((work, signal) =>
      work === 'obedient' ? obedient(signal) : new Promise<void>(() => undefined),
    );
    table = ['obedient', 'deaf', 'never claimed'];
    const sut = worker();
    const call = sut.work();
    sut.start();
    await jest.advanceTimersByTimeAsync(0);
    const stopping = sut.stop({ graceMs: 500, abortMs: 200 });
    await jest.advanceTimersByTimeAsync(499);
    const signals = run.mock.calls.map(([, signal]) => signal);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await jest.advanceTimersByTimeAsync(1);
    expect(signals.map(({ reason }) => reason)).toEqual([
      expect.any(WorkerStopping),
      expect.any(WorkerStopping),
    ]);
    await jest.advanceTimersByTimeAsync(200);
    expect(await stopping).toBe(1);
    await call;
    await sut.work();
    expect(works()).toEqual(['obedient', 'deaf']);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('should not wait for a hanging claim when it stops, and abort the work it returns', async () => {
    jest.useFakeTimers();
    const claim = deferred<string[]>();
    const sut = worker({ claim: () => claim.promise });
    sut.start();
    const stopping = sut.stop({ graceMs: 100, abortMs: 100 });
    await jest.advanceTimersByTimeAsync(200);
    expect(await stopping).toBe(0);
    claim.resolve(['late']);
    await jest.advanceTimersByTimeAsync(0);
    expect(run.mock.calls.map(([work, signal]) => [work, signal.aborted])).toEqual([['late', true]]);
    jest.useRealTimers();
  });

  it('should renew the leases of running work, and abort work that has lost its lease', async () => {
    jest.useFakeTimers();
    const renew = jest.fn(async (leases: readonly Lease[]): Promise<readonly Renewal[]> =>
      leases.map((lease) => ({ ...lease, renewed: true })),
    );
    const end = deferred<void>();
    run.mockReturnValue(end.promise);
    table = ['a', 'b'];
    const sut = worker({
      heartbeat: { leaseMs: 3_000, everyMs: 1_000, renew, leaseOf: (work) => ({ id: work, token: work }) },
    });
    sut.start();
    await jest.advanceTimersByTimeAsync(10_000);
    const [kept, lost] = run.mock.calls.map(([, signal]) => signal);
    expect([kept!.aborted, lost!.aborted]).toEqual([false, false]);
    renew.mockImplementation(async (leases) =>
      leases.filter(({ id }) => id === 'a').map((lease) => ({ ...lease, renewed: true })),
    );
    await jest.advanceTimersByTimeAsync(1_000);
    expect([kept!.aborted, lost!.reason]).toEqual([false, expect.any(LeaseLost)]);
    end.resolve();
    await sut.drain();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
