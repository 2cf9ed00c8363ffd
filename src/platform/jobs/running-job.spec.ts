import type { ClaimedJob } from './job-record';
import { JobTimings } from './job-timings';
import { JobInterrupted } from './jobs.errors';
import { RunningJob, type RunningJobServices } from './running-job';

const timings = new JobTimings();

const runningJob = (): RunningJob => {
  const record = {
    id: 'row',
    jobId: 'archive-1',
    type: 'archive',
    status: 'active',
    updatedAt: 'now',
    total: 0,
  };
  const claimed = { record, leaseToken: 'token', payload: {}, checkpoint: null, failures: [], attempt: 1 };
  return new RunningJob(claimed as unknown as ClaimedJob, { timings } as unknown as RunningJobServices);
};

describe('RunningJob', () => {
  afterEach(() => jest.restoreAllMocks());

  it('should allow irreversible steps as long as its lease is certain', () => {
    const started = performance.now();
    const sut = runningJob();
    jest.spyOn(performance, 'now').mockReturnValue(started + timings.leaseMs - 1_000);
    expect(() => sut.assertLeased()).not.toThrow();
    expect(sut.signal.aborted).toBe(false);
  });

  it('should stop once its lease may have expired, before a heartbeat reports it', () => {
    const started = performance.now();
    const sut = runningJob();
    jest.spyOn(performance, 'now').mockReturnValue(started + timings.leaseMs + 1_000);
    expect(() => sut.assertLeased()).toThrow(new JobInterrupted('lease-lost'));
    expect(sut.interruption).toBe('lease-lost');
  });

  it('should continue after a renewal', () => {
    const started = performance.now();
    const sut = runningJob();
    sut.onRenewed({ status: 'active' } as never, started + timings.leaseMs);
    jest.spyOn(performance, 'now').mockReturnValue(started + timings.leaseMs + 1_000);
    expect(() => sut.assertLeased()).not.toThrow();
  });

  it('should stop when it is cancelled', () => {
    const sut = runningJob();
    sut.interrupt('cancelled');
    expect(() => sut.assertLeased()).toThrow(new JobInterrupted('cancelled'));
  });
});
