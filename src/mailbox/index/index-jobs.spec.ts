import type { JobStatus } from '../../platform/jobs/job.entity';
import { OWNER_DEACTIVATED } from '../../platform/jobs/jobs.errors';
import { mayStartAfter } from './index-jobs';

const NOW = new Date('2026-03-01T12:00:00Z');
const secondsAgo = (seconds: number): string => new Date(NOW.getTime() - seconds * 1_000).toISOString();

describe('mayStartAfter', () => {
  it.each<[JobStatus, number | null, boolean]>([
    ['pending', null, false],
    ['active', null, false],
    ['cancelled', null, false],
    ['completed', 0, true],
    ['failed', 599, false],
    ['failed', 600, true],
    ['cancelled', 86_399, false],
    ['cancelled', 86_400, true],
  ])(
    'should decide whether a job may start after one that is %s since %s s: %s',
    (status, seconds, expected) => {
      const completedAt = seconds === null ? null : secondsAgo(seconds);
      expect(mayStartAfter({ status, errorCode: null, result: null, completedAt }, NOW)).toBe(expected);
    },
  );

  it.each([
    [false, 599, false],
    [false, 600, true],
    [true, 0, true],
  ])(
    'should pause after a job that left something missing (complete: %s), %s s: %s',
    (complete, seconds, expected) => {
      const last = { status: 'completed', errorCode: null, result: { complete } } as const;
      expect(mayStartAfter({ ...last, completedAt: secondsAgo(seconds) }, NOW)).toBe(expected);
    },
  );

  it('should not pause after a job that was stopped because its user was deactivated', () => {
    const last = { status: 'cancelled', errorCode: OWNER_DEACTIVATED.code, result: null } as const;
    expect(mayStartAfter({ ...last, completedAt: secondsAgo(0) }, NOW)).toBe(true);
    expect(mayStartAfter({ ...last, completedAt: null }, NOW)).toBe(false);
  });
});
