import { JobQueue } from './job-queue';
import type { ClaimedJob } from './job-record';
import { QueueWorker } from './job-workers';

const job = (name: string): ClaimedJob => ({ leaseToken: name }) as ClaimedJob;

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  return { promise: new Promise<T>((settle) => (resolve = settle)), resolve };
}

describe('LaneWorker', () => {
  it('should work until nothing is runnable', async () => {
    const waiting = [job('a'), job('b'), job('c')];
    const run: string[] = [];
    const sut = new QueueWorker(JobQueue.Scan, 1, {
      claim: async () => waiting.shift() ?? null,
      run: async ({ leaseToken }) => void run.push(leaseToken),
    });
    await sut.work();
    expect(run).toEqual(['a', 'b', 'c']);
    expect(sut.freeSlots).toBe(1);
  });

  it('should look again when woken while its last claim was on the way', async () => {
    const claims: Deferred<ClaimedJob | null>[] = [];
    const run = jest.fn(async () => undefined);
    const sut = new QueueWorker(JobQueue.Scan, 1, {
      claim: () => {
        const claim = deferred<ClaimedJob | null>();
        claims.push(claim);
        return claim.promise;
      },
      run,
    });
    const working = sut.work();
    await sut.work();
    claims[0]!.resolve(null);
    await new Promise(setImmediate);
    expect(claims).toHaveLength(2);
    claims[1]!.resolve(job('late'));
    await new Promise(setImmediate);
    claims[2]!.resolve(null);
    await working;
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('should never run more jobs than its concurrency', async () => {
    const ends: Deferred<void>[] = [];
    const sut = new QueueWorker(JobQueue.Scan, 2, {
      claim: async () => job('x'),
      run: () => {
        const end = deferred<void>();
        ends.push(end);
        return end.promise;
      },
    });
    const working = [sut.work(), sut.work(), sut.work()];
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    sut.stop();
    for (const end of ends) end.resolve();
    await Promise.all(working);
    expect(ends).toHaveLength(2);
    expect(sut.freeSlots).toBe(0);
  });

  it('should free its slot when a claim fails', async () => {
    const sut = new QueueWorker(JobQueue.Scan, 1, {
      claim: async () => Promise.reject(new Error('database away')),
      run: async () => undefined,
    });
    await expect(sut.work()).rejects.toThrow('database away');
    expect(sut.freeSlots).toBe(1);
  });
});
