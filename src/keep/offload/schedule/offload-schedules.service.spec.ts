import { Logger } from '@nestjs/common';
import { TooManyJobs } from '../../../platform/jobs/jobs.errors';
import type { PlanOwner } from '../plans/offload-plan';
import { OffloadSchedulesService } from './offload-schedules.service';

const NIGHT = '2025-11-21';

/** Schedules of two accounts; the first one fails with the given error. */
function setup(failure: Error) {
  const started: string[] = [];
  const schedules = {
    listActive: async () =>
      ['first', 'second'].map((accountId) => ({
        ...{ userId: 'user', accountId, selection: {}, mode: 'strict', graceDays: 30 },
        ...{ maxPerNight: 100, isActive: true },
      })),
  };
  const plans = {
    startOnce: async ({ accountId }: PlanOwner, _request: object, once: string) => {
      if (accountId === 'first') throw failure;
      started.push(once);
      return { jobId: 'job' };
    },
  };
  const sut = new OffloadSchedulesService(
    schedules as never,
    plans as never,
    ...([{}, {}, {}] as [never, never, never]),
  );
  return { sut, started };
}

describe('OffloadSchedulesService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it('should plan the other mailboxes of a night when one cannot be planned, and log it', async () => {
    const failure = new Error('This mailbox cannot be planned');
    const { sut, started } = setup(failure);
    expect(await sut.startNight(NIGHT)).toBe(1);
    expect(started).toEqual([`offload:second:${NIGHT}`]);
    expect(log.mock.calls).toEqual([[failure, expect.stringContaining('first')]]);
  });

  it('should plan the other mailboxes when the user of one has too many jobs, without logging an error', async () => {
    const { sut, started } = setup(new TooManyJobs());
    expect(await sut.startNight(NIGHT)).toBe(1);
    expect(started).toEqual([`offload:second:${NIGHT}`]);
    expect(log).not.toHaveBeenCalled();
  });
});
