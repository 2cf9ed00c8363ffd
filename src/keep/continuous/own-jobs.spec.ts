import { OWNER_DEACTIVATED } from '../../platform/jobs/jobs.errors';
import { mayStartAgain } from './own-jobs';

const NOW = new Date('2026-05-04T12:00:00Z');
const ago = (minutes: number): string => new Date(NOW.getTime() - minutes * 60_000).toISOString();

describe('mayStartAgain', () => {
  it.each([
    ['active', null, null, false],
    ['completed', null, ago(0), true],
    ['failed', 'provider-unavailable', ago(9), false],
    ['failed', 'provider-unavailable', ago(10), true],
    ['cancelled', null, ago(59), false],
    ['cancelled', null, ago(60), true],
    ['cancelled', OWNER_DEACTIVATED.code, ago(1), true],
  ] as const)(
    'should decide for a job that is %s (%s, ended %s): %s',
    (status, errorCode, completedAt, may) => {
      expect(mayStartAgain({ status, errorCode, completedAt }, NOW)).toBe(may);
    },
  );
});
