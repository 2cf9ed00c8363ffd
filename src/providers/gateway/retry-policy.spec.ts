import { ProviderUnavailable } from '../port/mail-provider.errors';
import { FailureKind, ProviderFailure } from './provider-call';
import { decideRetry, RetryContext } from './retry-policy';

const now = Date.parse('2026-03-01T12:00:00Z');
const failure = (kind: FailureKind, retryAt: number | null = null) =>
  new ProviderFailure({ kind, reason: 'test', retryAt, error: new ProviderUnavailable() });
const context = (changes: Partial<RetryContext> = {}): RetryContext => ({
  now,
  priority: 'background',
  random: () => 0.999999,
  ...changes,
});

describe('decideRetry', () => {
  it.each<[FailureKind, boolean, boolean]>([
    ['rateLimited', true, true],
    ['concurrency', true, false],
    ['unavailable', true, false],
    ['unauthorized', false, false],
    ['refused', false, false],
  ])('%s: retry %s, pause the account %s', (kind, retry, pauseAccount) => {
    expect(decideRetry(failure(kind), 1, context())).toMatchObject({ retry, pauseAccount });
  });

  it.each([
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [7, 64_000],
    [20, 64_000],
  ])('should back off after attempt %d for up to %d ms', (attempt, ceiling) => {
    expect(decideRetry(failure('unavailable'), attempt, context()).delayMs).toBe(ceiling);
    const least = decideRetry(failure('unavailable'), attempt, context({ random: () => 0 }));
    expect(least.delayMs).toBe(100);
  });

  it('should wait less after a refusal for concurrency', () => {
    expect(decideRetry(failure('concurrency'), 1, context()).delayMs).toBe(250);
    expect(decideRetry(failure('concurrency'), 3, context()).delayMs).toBe(1_000);
  });

  it.each([
    ['a while', 30_000, 30_000],
    ['too long a while', 3_600_000, 900_000],
    ['a moment in the past', -5_000, 100],
  ])('should respect a requested instant: %s', (_name, ahead, delayMs) => {
    expect(decideRetry(failure('rateLimited', now + ahead), 1, context()).delayMs).toBe(delayMs);
    expect(decideRetry(failure('unavailable', now + ahead), 1, context()).delayMs).toBe(delayMs);
  });

  it('should pause the account for a concurrency refusal only when the provider names an instant', () => {
    expect(decideRetry(failure('concurrency', now + 5_000), 1, context()).pauseAccount).toBe(true);
  });

  it.each([
    ['interactive', 5, true],
    ['interactive', 6, false],
    ['background', 7, true],
    ['background', 8, false],
  ] as const)('%s: after attempt %d another one is %s', (priority, attempt, retry) => {
    expect(decideRetry(failure('unavailable'), attempt, context({ priority })).retry).toBe(retry);
  });

  it('should not wait past the caller’s deadline, but report when to come back', () => {
    const decision = decideRetry(
      failure('rateLimited', now + 60_000),
      1,
      context({ deadline: now + 10_000 }),
    );
    expect(decision).toEqual({ retry: false, delayMs: 60_000, pauseAccount: true });
  });
});
