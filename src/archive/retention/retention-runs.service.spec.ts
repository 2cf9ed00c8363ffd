import { Logger } from '@nestjs/common';
import type { JobDefinition } from '../../platform/jobs/job-definition';
import type { JobOwner } from '../../platform/jobs/jobs.service';
import { RetentionRunsService } from './retention-runs.service';

/** Three users with policies, of whom the first one's run cannot be started. */
function setup(failure: Error) {
  const started: string[] = [];
  const repository = { findUsersWithPolicies: async () => ['first', 'second', 'third'] };
  const jobs = {
    startIfPossible: async (_: JobDefinition<object>, { userId }: JobOwner, payload: { night: string }) => {
      if (userId === 'first') throw failure;
      started.push(`${userId} ${payload.night}`);
      return { jobId: 'job' };
    },
  };
  const none = {} as never;
  const sut = new RetentionRunsService(none, repository as never, none, none, none, jobs as never);
  return { sut, started };
}

describe('RetentionRunsService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it('should start the runs of other users when one user’s run cannot be started, and log it', async () => {
    const failure = new Error('This run cannot be started');
    const { sut, started } = setup(failure);
    expect(await sut.startNight('2025-11-21')).toBe(2);
    expect(started).toEqual(['second 2025-11-21', 'third 2025-11-21']);
    expect(log.mock.calls).toEqual([[failure, expect.stringContaining('first')]]);
  });
});
