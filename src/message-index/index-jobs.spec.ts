import type { JobStatus } from '../jobs/job.entity';
import { OWNER_DEACTIVATED } from '../jobs/jobs.errors';
import { mayStartAfter } from './index-jobs';

describe('mayStartAfter', () => {
  it.each<[JobStatus, boolean, number | null, boolean]>([
    ['pending', true, null, false],
    ['active', true, null, false],
    ['cancelled', true, null, false],
    ['completed', false, 0, true],
    ['failed', false, 599, false],
    ['failed', false, 600, true],
    ['cancelled', false, 86_399, false],
    ['cancelled', false, 86_400, true],
  ])('should say whether a job may follow one that is %s (open: %s) since %s s: %s', (...given) => {
    const [status, open, endedSecondsAgo, expected] = given;
    const last = { number: 1, status, errorCode: null, open, endedSecondsAgo, incomplete: false };
    expect(mayStartAfter(last)).toBe(expected);
  });

  it.each([
    [599, false],
    [600, true],
  ])('should rest after a job that ended with something missing, %s s: %s', (endedSecondsAgo, expected) => {
    const last = { number: 1, status: 'completed', errorCode: null, open: false, incomplete: true } as const;
    expect(mayStartAfter({ ...last, endedSecondsAgo })).toBe(expected);
  });

  it('should not rest after a job that was stopped because its user was deactivated', () => {
    const last = {
      number: 1,
      status: 'cancelled',
      open: false,
      incomplete: false,
      endedSecondsAgo: 0,
    } as const;
    expect(mayStartAfter({ ...last, errorCode: OWNER_DEACTIVATED.code })).toBe(true);
    expect(mayStartAfter({ ...last, open: true, errorCode: OWNER_DEACTIVATED.code })).toBe(false);
  });
});
