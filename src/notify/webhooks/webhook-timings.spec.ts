import { afterAttempt, AfterAttempt, maxAttempts, WebhookTimings } from './webhook-timings';

const timings = new WebhookTimings();
const HOURS = 3_600_000;

describe('afterAttempt', () => {
  it.each([200, 201, 202, 204, 299])('should treat %d as delivered', (status) => {
    expect(afterAttempt({ status }, 6, timings)).toEqual({ status: 'delivered' });
  });

  it('should wait 5 s, 1 min, 10 min, 1 h and 6 h, a little longer by chance, and then give up', () => {
    const waits = (chance: number): AfterAttempt[] =>
      [1, 2, 3, 4, 5].map((attempts) => afterAttempt({ status: 0 }, attempts, timings, chance));
    const pending = (waitMs: number): AfterAttempt => ({ status: 'pending', waitMs });
    expect(waits(0)).toEqual([5_000, 60_000, 600_000, HOURS, 6 * HOURS].map(pending));
    expect(waits(1)).toEqual([6_000, 72_000, 720_000, 1.2 * HOURS, 7.2 * HOURS].map(pending));
    expect(maxAttempts(timings)).toBe(6);
    expect(afterAttempt({ status: 0 }, 6, timings)).toEqual({ status: 'failed' });
    // One that was lost with its process after the last wait.
    expect(afterAttempt({ status: 0 }, 7, timings)).toEqual({ status: 'failed' });
  });

  it.each([
    [429, 60_000, 60_000],
    [503, 60_000, 60_000],
    [503, 1_000, 5_000],
    [503, undefined, 5_000],
    [429, 999 * HOURS, 6 * HOURS],
    [500, 60_000, 5_000],
    [302, 60_000, 5_000],
  ])('should wait, after a %d that asks for %s ms, for %d ms', (status, retryAfterMs, waitMs) => {
    expect(afterAttempt({ status, retryAfterMs }, 1, timings, 0)).toEqual({ status: 'pending', waitMs });
  });
});
