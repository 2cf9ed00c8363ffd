import { clutterScore, readRateOf } from './clutter-score';

const MIB = 1024 * 1024;

describe('clutterScore', () => {
  it.each([
    // count, bytes, unread, hasUnsubscribe, score
    [0, 0, 0, false, 0],
    [1, 0, 0, false, 1],
    [1, 0, 1, false, 26],
    [50, 0, 0, false, 30],
    [5000, 0, 0, false, 30],
    [25, 25 * MIB, 0, false, 28],
    [0, 50 * MIB, 0, false, 25],
    [0, 5000 * MIB, 0, false, 25],
    [0, 0, 0, true, 20],
    [10, 10 * MIB, 5, false, 24],
    [10, 0, 10, true, 51],
    [50, 50 * MIB, 50, true, 100],
    [100_000, 1e12, 100_000, true, 100],
  ])('should give %i mails of %i bytes, %i unread, unsubscribe %s: %i', (...facts) => {
    const [count, bytes, unread, hasUnsubscribe, score] = facts;
    expect(clutterScore({ count, bytes, unread, hasUnsubscribe })).toBe(score);
  });

  it('should stay within 0 and 100, and grow with every part', () => {
    for (const count of [1, 7, 49, 50, 51, 1000]) {
      for (const bytes of [0, 3 * MIB, 50 * MIB, 51 * MIB]) {
        for (const unread of [0, Math.floor(count / 2), count]) {
          const facts = { count, bytes, unread, hasUnsubscribe: false };
          const score = clutterScore(facts);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(clutterScore({ ...facts, hasUnsubscribe: true })).toBe(score + 20);
          expect(clutterScore({ ...facts, bytes: bytes + MIB })).toBeGreaterThanOrEqual(score);
          expect(score).toBeLessThanOrEqual(80);
        }
      }
    }
  });
});

describe('readRateOf', () => {
  it.each([
    [0, 0, 1],
    [4, 0, 1],
    [4, 1, 0.75],
    [4, 4, 0],
  ])('should be, of %i mails with %i unread, %d', (count, unread, rate) => {
    expect(readRateOf({ count, unread })).toBe(rate);
  });
});
