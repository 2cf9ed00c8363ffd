import { SchedulerRegistry } from '@nestjs/schedule';
import { type Served, startTestApp, type TestApp } from '../../../support/app';

describe('Schedules', () => {
  let all: TestApp;
  let api: Served;

  beforeAll(async () => {
    all = await startTestApp({ sandbox: { messages: 1 } });
    api = await all.another({ ROLE: 'api' });
  });

  afterAll(async () => {
    await api?.app.close();
    await all?.close();
  });

  const schedulesOf = ({ app }: Pick<Served, 'app'>): SchedulerRegistry => app.get(SchedulerRegistry);

  it('should register cron jobs only in processes that run jobs', () => {
    const names = [...schedulesOf(all).getCronJobs().keys()];
    expect(names).toEqual(
      expect.arrayContaining(['keep-copies', 'start-nightly-retention', 'remove-old-events']),
    );
    expect([...schedulesOf(api).getCronJobs().keys()]).toEqual([]);
  });

  it('should name every cron job', () => {
    const named = [...schedulesOf(all).getCronJobs().keys()];
    expect(named.filter((name) => !/^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([]);
  });

  it('should delete uploaded files in every process, since they are stored where they were uploaded', () => {
    for (const process of [all, api])
      expect(schedulesOf(process).getIntervals()).toContain('sweep-import-uploads');
  });
});
