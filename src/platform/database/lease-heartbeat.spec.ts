import type { Lease, Renewal } from './leased-rows';
import { LeaseHeartbeat, LeaseHolder } from './lease-heartbeat';

const timings = { leaseMs: 15_000, heartbeatMs: 5_000 };
const HANGING = new Promise<never>(() => undefined);

interface Row {
  readonly note: string;
}

interface Pending {
  readonly leases: readonly Lease[];
  answer(): void;
  fail(error: Error): void;
}

const rowsOf = (leases: readonly Lease[]): (Renewal & Row)[] =>
  leases.map((lease) => ({ ...lease, renewed: true, note: '' }));

class Holder implements LeaseHolder<Row> {
  isLost = false;
  isEnding = false;
  note = '';
  private renewedAt = performance.now();

  constructor(readonly lease: Lease) {}

  get leaseExpired(): boolean {
    return performance.now() - this.renewedAt > timings.leaseMs;
  }

  onRenewed({ note }: Row, askedAt: number): void {
    this.renewedAt = Math.max(this.renewedAt, askedAt);
    this.note = note;
  }

  onLeaseLost(): void {
    this.isLost = true;
  }
}

const attempt = (id: string, token = `token of ${id}`): Holder => new Holder({ id, token });

describe('LeaseHeartbeat', () => {
  const renew = jest.fn<Promise<(Renewal & Row)[]>, [readonly Lease[]]>();
  let sut: LeaseHeartbeat<Row, Holder>;
  let added: Holder[];

  const add = (job: Holder): Holder => {
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
          asked.push({ leases, answer: () => resolve(rowsOf(leases)), fail: reject }),
        ),
    );
    return asked;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    renew.mockReset().mockImplementation(async (leases) => rowsOf(leases));
    const logger = { warn: jest.fn(), error: jest.fn() };
    sut = new LeaseHeartbeat({ leaseMs: timings.leaseMs, everyMs: timings.heartbeatMs, renew, logger });
    added = [];
  });

  afterEach(() => {
    for (const job of added) sut.remove(job);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('should keep the leases of all jobs while heartbeats get through', async () => {
    const jobs = [add(attempt('a')), add(attempt('b'))];
    await jest.advanceTimersByTimeAsync(4 * timings.leaseMs);
    expect(jobs.map((job) => job.isLost)).toEqual([false, false]);
  });

  it('should stop a job that was claimed while a heartbeat hangs, once its lease has expired', async () => {
    renew.mockReturnValue(HANGING);
    const first = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs + 100);
    const second = add(attempt('b'));
    await jest.advanceTimersByTimeAsync(timings.leaseMs - 100);
    expect([first.isLost, second.isLost]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(timings.leaseMs / 10 + 100);
    expect(second.isLost).toBe(true);
  });

  it.each([1, 2, 3])('should lose no lease to %i heartbeats that hang', async (hanging) => {
    for (let call = 0; call < hanging; call += 1) renew.mockReturnValueOnce(HANGING);
    const first = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs + 100);
    const second = add(attempt('b'));
    await jest.advanceTimersByTimeAsync(4 * timings.leaseMs);
    expect([first.isLost, second.isLost]).toEqual([false, false]);
    expect(renewed(0)).toEqual(['a']);
    expect(renewed(hanging)).toEqual(['a', 'b']);
  });

  it('should lose no lease when a single heartbeat fails', async () => {
    renew.mockRejectedValueOnce(new Error('connection lost'));
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(2 * timings.leaseMs);
    expect(job.isLost).toBe(false);
  });

  it('should stop all jobs when heartbeats fail for the length of a lease', async () => {
    renew.mockRejectedValue(new Error('connection lost'));
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.leaseMs * 1.1 + 1);
    expect(job.isLost).toBe(true);
  });

  it('should use a limited number of connections for hanging heartbeats, and continue when one is free', async () => {
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
    expect(later.isLost).toBe(false);
  });

  it('should count the lease from the request, however late the answer', async () => {
    const asked = pending();
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs * 1.5);
    asked[0]!.answer();
    await jest.advanceTimersByTimeAsync(timings.leaseMs - timings.heartbeatMs * 1.5);
    expect(job.isLost).toBe(false);
    await jest.advanceTimersByTimeAsync(timings.leaseMs / 10);
    expect(job.isLost).toBe(true);
  });

  it('should ignore the late answer to an earlier heartbeat', async () => {
    const asked = pending();
    const job = add(attempt('a'));
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs * 2);
    asked[1]!.answer();
    await jest.advanceTimersByTimeAsync(0);
    asked[0]!.answer();
    // From the second on, which was asked for half a heartbeat later.
    await jest.advanceTimersByTimeAsync(timings.leaseMs - timings.heartbeatMs / 2 - 1);
    expect(job.isLost).toBe(false);
  });

  it('should stop a job whose row stays locked once its lease has expired, and no other', async () => {
    const [locked, free] = [add(attempt('locked')), add(attempt('free'))];
    renew.mockImplementation(async (leases) =>
      rowsOf(leases).map((row) => ({ ...row, renewed: row.id !== locked.lease.id })),
    );
    await jest.advanceTimersByTimeAsync(timings.leaseMs - timings.heartbeatMs);
    expect([locked.isLost, free.isLost]).toEqual([false, false]);
    await jest.advanceTimersByTimeAsync(2 * timings.leaseMs);
    expect([locked.isLost, free.isLost]).toEqual([true, false]);
  });

  it('should stop jobs that others have taken over, and pass on what was read of the rest', async () => {
    const [first, second] = [add(attempt('a')), add(attempt('b'))];
    renew.mockResolvedValueOnce([{ ...second.lease, renewed: true, note: 'cancelled' }]);
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    expect([first.isLost, second.isLost, second.note]).toEqual([true, false, 'cancelled']);
  });

  it('should stop an attempt whose job this process claims again', async () => {
    const earlier = add(attempt('a', 'first'));
    const later = add(attempt('a', 'second'));
    expect([earlier.isLost, later.isLost]).toEqual([true, false]);
    sut.remove(earlier);
    await jest.advanceTimersByTimeAsync(timings.heartbeatMs);
    expect(renew).toHaveBeenLastCalledWith([later.lease]);
  });

  it('should leave the lease of an ending job to the code that writes its end', async () => {
    const job = add(attempt('a'));
    job.isEnding = true;
    await jest.advanceTimersByTimeAsync(2 * timings.leaseMs);
    expect(renew).not.toHaveBeenCalled();
    expect(job.isLost).toBe(false);
  });
});
