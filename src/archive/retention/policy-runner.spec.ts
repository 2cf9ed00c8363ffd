import type { RetentionPolicyEntity } from './retention-policy.entity';
import { expiryCutoff, meansTheSame } from './policy-runner';

describe('expiryCutoff', () => {
  it.each([
    ['2026-03-30T12:00:00.001Z', 1, '2026-03-29T12:00:00.001Z'],
    ['2024-03-01T00:00:00.000Z', 1, '2024-02-29T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 365, '2025-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 36_500, '1926-01-26T00:00:00.000Z'],
  ])('should be, at %s with %i days, %s', (now, days, expected) => {
    expect(expiryCutoff(new Date(now), days).toISOString()).toBe(expected);
  });
});

describe('meansTheSame', () => {
  const policy = { name: 'x', mailboxAccountId: null, label: 'a', maxAgeDays: 5 } as RetentionPolicyEntity;

  it.each([
    [{ name: 'y' }, true],
    [{ deletedCount: 5 }, true],
    [{ label: 'A' }, false],
    [{ label: null }, false],
    [{ maxAgeDays: 6 }, false],
    [{ mailboxAccountId: 'account' }, false],
  ])('should compare %j', (changes, expected) => {
    expect(meansTheSame(policy, { ...policy, ...changes })).toBe(expected);
  });
});
