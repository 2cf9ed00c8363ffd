import { dayOf, streaksOf } from './inbox-zero.service';

describe('streaksOf', () => {
  it.each([
    ['nothing', [], 0, 0],
    ['today only', ['2026-03-10'], 1, 1],
    ['yesterday, today not yet', ['2026-03-09'], 1, 1],
    ['the day before yesterday', ['2026-03-08'], 0, 1],
    ['three up to today', ['2026-03-08', '2026-03-09', '2026-03-10'], 3, 3],
    ['two up to yesterday', ['2026-03-08', '2026-03-09'], 2, 2],
    ['a gap before today', ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-10'], 1, 3],
    ['a gap yesterday', ['2026-03-08', '2026-03-10'], 1, 1],
    ['across the end of February', ['2026-02-27', '2026-02-28', '2026-03-01'], 0, 3],
    ['the best long ago', ['2025-12-30', '2025-12-31', '2026-01-01', '2026-03-10'], 1, 3],
  ])('should count %s', (_what, days, streak, bestStreak) => {
    expect(streaksOf(days, '2026-03-10')).toEqual({ streak, bestStreak });
  });

  it('should count across clock changes and ten years', () => {
    const days = Array.from({ length: 3653 }, (_, n) => dayOf(new Date(Date.UTC(2016, 2, 11 + n))));
    expect(streaksOf(days, '2026-03-11')).toEqual({ streak: 3653, bestStreak: 3653 });
  });

  it('should count the leap day', () => {
    const days = ['2028-02-28', '2028-02-29', '2028-03-01'];
    expect(streaksOf(days, '2028-03-01')).toEqual({ streak: 3, bestStreak: 3 });
  });
});
