import { describe, expect, it } from 'vitest';
import { rateOf } from './rate';

describe('rateOf', () => {
  it('should return the rate per second, and the remaining time', () => {
    expect(rateOf({ at: 0, processed: 100 }, { at: 10_000, processed: 300 }, 1_300)).toEqual({
      perSecond: 20,
      secondsLeft: 50,
    });
  });

  it('should return nothing too early, and nothing for a stalled job', () => {
    expect(rateOf({ at: 0, processed: 0 }, { at: 1_000, processed: 50 }, 100)).toBeNull();
    expect(rateOf({ at: 0, processed: 50 }, { at: 9_000, processed: 50 }, 100)).toBeNull();
  });
});
