import { Logger } from '@nestjs/common';
import type { JobDefinition } from '../../platform/jobs/job-definition';
import type { JobOwner } from '../../platform/jobs/jobs.service';
import { IntegrityChecksService } from './integrity-checks.service';

const NIGHT = new Date('2025-11-21T02:37:00Z');

/** Archives of three users, of whom the first one's check cannot be started. */
function setup(failure: Error) {
  const started: string[] = [];
  const users = ['first', 'second', 'third'];
  const states = {
    findFirstAdmin: async () => 'second',
    listRunning: async () => new Set<string>(),
    listNotVisitedSince: async () => users,
  };
  const jobs = {
    startIfPossible: async (_: JobDefinition<object>, { userId }: JobOwner) => {
      if (userId === 'first') throw failure;
      started.push(userId);
      return { jobId: 'job' };
    },
  };
  const archiveUsers = { list: async () => users };
  const sut = new IntegrityChecksService(
    states as never,
    archiveUsers as never,
    jobs as never,
    ...([{}] as [never]),
  );
  return { sut, started };
}

describe('IntegrityChecksService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it.each(['startNight', 'startMissed'] as const)(
    'should start the checks of other users when one user’s check cannot be started, and log it: %s',
    async (start) => {
      const failure = new Error('This check cannot be started');
      const { sut, started } = setup(failure);
      expect(await sut[start](NIGHT)).toBe(2);
      expect(started).toEqual(['second', 'third']);
      expect(log.mock.calls).toEqual([[failure, expect.stringContaining('first')]]);
    },
  );
});
