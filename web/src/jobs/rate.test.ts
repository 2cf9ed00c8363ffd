import { describe, expect, it } from 'vitest';
import { rateOf } from './rate';

describe('rateOf', () => {
  it('should say how many a second, and how long the rest takes', () => {
    expect(rateOf({ at: 0, processed: 100 }, { at: 10_000, processed: 300 }, 1_300)).toEqual({
      perSecond: 20,
      secondsLeft: 50,
    });
  });

  it('should say nothing too early, and nothing of a job that stands still', () => {
    expect(rateOf({ at: 0, processed: 0 }, { at: 1_000, processed: 50 }, 100)).toBeNull();
    expect(rateOf({ at: 0, processed: 50 }, { at: 9_000, processed: 50 }, 100)).toBeNull();
  });
});
