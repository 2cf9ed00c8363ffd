import type { JobStatus } from '../../../common/jobs/job.entity';
import { mayFollow } from './index-jobs.service';

describe('mayFollow', () => {
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
    expect(mayFollow({ number: 1, status, open, endedSecondsAgo, gaveUp: false })).toBe(expected);
  });

  it.each([
    [599, false],
    [600, true],
  ])('should rest after a job that ended with something missing, %s s: %s', (endedSecondsAgo, expected) => {
    const last = { number: 1, status: 'completed', open: false, gaveUp: true } as const;
    expect(mayFollow({ ...last, endedSecondsAgo })).toBe(expected);
  });
});
