import { comfortableUnits, quotaLimits } from './quota-bucket';

describe('quotaLimits', () => {
  it.each([
    [250, 15_000],
    [250, 6_000],
    [1_000_000, 60_000_000],
  ])(
    '%d a second, %d a minute: paces background calls to 95 %% and more of it, never beyond',
    (second, minute) => {
      const limits = quotaLimits({ unitsPerSecond: second, unitsPerMinute: minute });
      expect(limits.pacePerSecond * 60).toBeGreaterThanOrEqual(0.95 * minute);
      expect(limits.pacePerSecond * 61 + limits.paceBurst).toBeLessThanOrEqual(minute * 1.0001);
      expect(limits.burst).toBeLessThan(second);
      expect(limits.perMinute).toBe(minute);
    },
  );

  it('should keep single calls within the units of a second', () => {
    expect(comfortableUnits(quotaLimits({ unitsPerSecond: 250, unitsPerMinute: 15_000 }))).toBe(200);
    expect(comfortableUnits(quotaLimits({ unitsPerSecond: 250, unitsPerMinute: 6_000 }))).toBeCloseTo(96.5);
    expect(comfortableUnits(quotaLimits({ unitsPerSecond: 0.5, unitsPerMinute: 10 }))).toBe(1);
  });
});
