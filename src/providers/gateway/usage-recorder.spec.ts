import { ProviderUsageRepository, UsageCount } from './provider-usage.repository';
import { RecentUsage } from './recent-usage';
import { UsageRecorder } from './usage-recorder';

class Repository {
  readonly written: UsageCount[][] = [];
  failing = false;

  async add(counts: readonly UsageCount[]): Promise<void> {
    if (this.failing) throw new Error('down');
    this.written.push([...counts]);
  }
}

class Recent {
  readonly recorded: unknown[][] = [];
  writes = 0;
  failing = false;

  record(...count: unknown[]): void {
    this.recorded.push(count);
  }

  async write(): Promise<void> {
    this.writes += 1;
    if (this.failing) throw new Error('no Redis');
  }
}

describe('UsageRecorder', () => {
  const repository = () => new Repository();
  const recorder = (to: Repository, recent = new Recent()) =>
    new UsageRecorder(to as unknown as ProviderUsageRepository, recent as unknown as RecentUsage);

  beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:10Z') }));
  afterEach(() => jest.useRealTimers());

  it('should add up per account, endpoint and minute, and write once', async () => {
    const to = repository();
    const usage = recorder(to);
    usage.record('a', 'messages.get', 5, 1);
    usage.record('a', 'messages.get', 40, 8);
    usage.record('a', 'messages.list', 5, 1);
    usage.recordBytes('a', 'messages.list', { receivedBytes: 700, sentBytes: 30 });
    usage.recordBytes('b', 'messages.list', { receivedBytes: 0, sentBytes: 0 });
    jest.setSystemTime(Date.parse('2026-03-01T12:01:00Z'));
    usage.record('a', 'messages.get', 5, 1);
    await usage.flush();
    await usage.flush();
    expect(to.written).toEqual([
      [
        {
          accountId: 'a',
          endpoint: 'messages.get',
          minute: new Date('2026-03-01T12:00:00Z'),
          units: 45,
          calls: 9,
          receivedBytes: 0,
          sentBytes: 0,
        },
        {
          accountId: 'a',
          endpoint: 'messages.list',
          minute: new Date('2026-03-01T12:00:00Z'),
          units: 5,
          calls: 1,
          receivedBytes: 700,
          sentBytes: 30,
        },
        {
          accountId: 'a',
          endpoint: 'messages.get',
          minute: new Date('2026-03-01T12:01:00Z'),
          units: 5,
          calls: 1,
          receivedBytes: 0,
          sentBytes: 0,
        },
      ],
    ]);
  });

  it('should keep the counts of a failed write, and those added in the meantime', async () => {
    const to = repository();
    const usage = recorder(to);
    usage.record('a', 'messages.get', 5, 1);
    to.failing = true;
    await expect(usage.flush()).rejects.toThrow('down');
    usage.record('a', 'messages.get', 5, 1);
    to.failing = false;
    await usage.flush();
    expect(to.written[0]).toMatchObject([{ units: 10, calls: 2 }]);
  });

  it('should write the rest at shutdown', async () => {
    const to = repository();
    const usage = recorder(to);
    usage.onModuleInit();
    usage.record('a', 'messages.get', 5, 1);
    await usage.beforeApplicationShutdown();
    expect(to.written).toHaveLength(1);
  });

  it('should write to either store while the other one is unavailable', async () => {
    const [to, recent] = [repository(), new Recent()];
    const usage = recorder(to, recent);
    recent.failing = true;
    usage.record('a', 'messages.get', 5, 1);
    await expect(usage.flush()).rejects.toThrow('no Redis');
    expect(to.written).toHaveLength(1);
    Object.assign(to, { failing: true });
    recent.failing = false;
    usage.record('a', 'messages.get', 5, 1);
    await expect(usage.flush()).rejects.toThrow('down');
    expect(recent.writes).toBe(2);
    expect(recent.recorded[0]).toEqual(['a', 5, 1, Date.now()]);
  });
});
