import { completionOf } from './transfer-forecast';

const now = new Date('2026-11-29T19:00:00Z');
const GMAIL = 2_500_000_000;

describe('completionOf', () => {
  it.each([
    ['within the day', 2_000_000_000, 0, null],
    ['the day after, by a byte', 2_000_000_001, 0, '2026-11-30'],
    ['19 days for 38 GB', 38_000_000_000, 0, '2026-12-17'],
    ['a day more when this day is used up', 38_000_000_000, 2_000_000_000, '2026-12-18'],
    ['a day more when others have used more than the share', 38_000_000_000, 2_400_000_000, '2026-12-18'],
    ['nothing', 0, 2_500_000_000, null],
  ])('should forecast %s', (_name, bytes, used, day) => {
    const at = completionOf(bytes, { limit: GMAIL, used }, now);
    expect(at && at.toISOString().slice(0, 10)).toBe(day);
  });
});
