import { Logger } from '@nestjs/common';
import type { JobStatus } from './job.entity';
import { JobTimings } from './job-timings';
import type { ClaimedJob } from './job-record';
import type { JobLeasesRepository, Lease } from './job-leases.repository';
import { RunningJob, RunningJobServices } from './running-job';
import { RunningJobs } from './running-jobs';
import { Ticker } from '../common/concurrency/ticker';

const timings = new JobTimings();
const HANGING = new Promise<never>(() => undefined);

type Renewal = Promise<Map<string, JobStatus>>;

interface Pending {
  readonly leases: readonly Lease[];
  answer(): void;
  fail(error: Error): void;
}

const activeOf = (leases: readonly Lease[]): Map<string, JobStatus> =>
  new Map(leases.map(({ id }) => [id, 'active']));

const attempt = (id: string, leaseToken = `token of ${id}`): RunningJob =>
  new RunningJob(
    {
      record: { id, jobId: id, type: 'test' },
      leaseToken,
      lostAttempts: 0,
      failures: [],
    } as unknown as ClaimedJob,
    { timings } as RunningJobServices,
  );

describe('RunningJobs', () => {
  const renew = jest.fn<Renewal, [readonly Lease[], number]>();
  let sut: RunningJobs;
  let ticker: Ticker;
  let added: RunningJob[];

  const add = (job: RunningJob): RunningJob => {
    added.push(job);
    sut.add(job);
    return job;
  };
  const renewed = (call: number): string[] => renew.mock.calls[call]![0].map(({ id }) => id);
  const pending = (): Pending[] => {
    const asked: Pending[] = [];
    renew.mockImplementation(
      (leases) =>
        new Promise((resolve, reject) =>
          asked.push({ leases, answer: () => resolve(activeOf(leases)), fail: reject }),
        ),
    );
    return asked;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    renew.mockReset().mockImplementation(async (leases) => activeOf(leases));
    sut = new RunningJobs({ renew } as unknown as JobLeasesRepository, timings);
    ticker = new Ticker(timings.heartbeatMs, () => sut.beat(), { error: jest.fn() });
    added = [];
    ticker.start();
  });

  afterEach(() => {
    void ticker.stop();
    for (const job of added) sut.remove(job);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('should keep the leases of all jobs while heartbeats get through', async () => {
    const jobs = [add(attempt('a')), add(attempt('b'))];
    await jest.advanceTimersByTimeAsync(4 * timings.leaseMs);
    expect(jobs.map((job) => job.interruption)).toEqual([null, null]);
  });

  it('should stop a job that was claimed while a heartbeat hangs, once its lease has run out', async () => {
    renew.mockReturnValue(HANGING);
    const first = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs + 100);
    const second = add(attempt('b'));
    await jest.advanceTimersByTimeAsync(timings.leaseMs - 100);
    expect([first.interruption, second.interruption]).toEqual(['lease-lost', null]);
    await jest.advanceTimersByTimeAsync(timings.leaseMs / 10 + 100);
    expect(second.interruption).toBe('lease-lost');
  });

  it.each([1, 2, 3])('should lose no lease to %i heartbeats that hang', async (hanging) => {
    for (let call = 0; call < hanging; call += 1) renew.mockReturnValueOnce(HANGING);
    const first = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs + 100);
    const second = add(attempt('b'));
    await jest.advanceTimersByTimeAsync(4 * timings.leaseMs);
    expect([first.interruption, second.interruption]).toEqual([null, null]);
    expect(renewed(0)).toEqual(['a']);
    expect(renewed(hanging)).toEqual(['a', 'b']);
  });

  it('should lose no lease to one heartbeat that fails', async () => {
    renew.mockRejectedValueOnce(new Error('connection lost'));
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(2 * timings.leaseMs);
    expect(job.interruption).toBeNull();
  });

  it('should stop all jobs when heartbeats fail for as long as the lease', async () => {
    renew.mockRejectedValue(new Error('connection lost'));
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.leaseMs * 1.1 + 1);
    expect(job.interruption).toBe('lease-lost');
  });

  it('should take a bounded number of connections for heartbeats that hang, and go on when one is free', async () => {
    const asked = pending();
    add(attempt('a'));
    await jest.advanceTimersByTimeAsync(4 * timings.leaseMs);
    expect(asked).toHaveLength(4);
    asked[0]!.fail(new Error('Query read timeout'));
    const later = add(attempt('b'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    expect(asked).toHaveLength(5);
    asked[4]!.answer();
    await jest.advanceTimersByTimeAsync(1.5 * timings.heartbeatMs);
    expect(asked[4]!.leases.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(later.interruption).toBeNull();
  });

  it('should count the lease from when it was asked for, however late the answer', async () => {
    const asked = pending();
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs * 1.5);
    asked[0]!.answer();
    await jest.advanceTimersByTimeAsync(timings.leaseMs - timings.heartbeatMs * 1.5);
    expect(job.interruption).toBeNull();
    await jest.advanceTimersByTimeAsync(timings.leaseMs / 10);
    expect(job.interruption).toBe('lease-lost');
  });

  it('should not be set back by the late answer to an earlier heartbeat', async () => {
    const asked = pending();
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs * 2);
    asked[1]!.answer();
    await jest.advanceTimersByTimeAsync(0);
    asked[0]!.answer();
    // From the second on, which was asked for half a heartbeat later.
    await jest.advanceTimersByTimeAsync(timings.leaseMs - timings.heartbeatMs / 2 - 1);
    expect(job.interruption).toBeNull();
  });

  it('should stop what is taken over by others, and what is cancelled', async () => {
    renew.mockResolvedValueOnce(new Map<string, JobStatus>([['b', 'cancelled']]));
    const jobs = [add(attempt('a')), add(attempt('b'))];
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    expect(jobs.map((job) => job.interruption)).toEqual(['lease-lost', 'cancelled']);
  });

  it('should stop an attempt whose job this process claims again', async () => {
    const earlier = add(attempt('a', 'first'));
    const later = add(attempt('a', 'second'));
    expect([earlier.interruption, later.interruption]).toEqual(['lease-lost', null]);
    sut.remove(earlier);
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    expect(renew).toHaveBeenLastCalledWith([later.lease], timings.leaseMs);
  });

  it('should leave the lease of a job that is ending to whoever writes the end', async () => {
    const job = add(attempt('a'));
    job.beginEnd();
    await jest.advanceTimersByTimeAsync(2 * timings.leaseMs);
    expect(renew).not.toHaveBeenCalled();
    expect(job.interruption).toBeNull();
  });
});
