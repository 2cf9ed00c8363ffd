import { describe, expect, it, vi } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatFullDate,
  formatHour,
  formatNumber,
  formatPercent,
  formatShortDate,
  formatWeekday,
} from './format';
import { setLanguage } from './language';

describe('formats', () => {
  it.each([
    [0, '0 B'],
    [1_023, '1,023 B'],
    [1_024, '1 KB'],
    [1_536, '1.5 KB'],
    [12 * 1024 ** 2, '12 MB'],
    [5 * 1024 ** 3, '5 GB'],
  ])('should show %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0.2, '1 sec'],
    [40, '40 sec'],
    [180, '3 min'],
    [7_200, '2 hr'],
  ])('should show %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it.each([
    ['en-GB', '14 Nov 2025', '16:50'],
    ['en-US', 'Nov 14, 2025', '4:50 PM'],
    // The page is in English.
    ['fr-FR', 'Nov 14, 2025', '4:50 PM'],
  ])('should format dates as usual in %s', (tag, day, time) => {
    vi.stubGlobal('navigator', { languages: [tag] });
    const now = new Date(2026, 0, 1);
    expect(formatShortDate('2025-11-14T12:00:00', now)).toBe(day);
    expect(formatShortDate('2026-01-01T16:50:00', now).replace(/\s/g, ' ')).toBe(time);
    vi.unstubAllGlobals();
  });

  it.each([
    ['en-GB', 'Mon', '09'],
    ['en-US', 'Mon', '9 AM'],
  ])('should name days and hours as usual in %s', (tag, day, hour) => {
    vi.stubGlobal('navigator', { languages: [tag] });
    expect(formatWeekday(0, 'short')).toBe(day);
    expect(formatWeekday(6, 'long')).toBe('Sunday');
    expect(formatHour(9).replace(/\s/g, ' ')).toBe(hour);
    vi.unstubAllGlobals();
  });

  it.each([
    [0, '0%'],
    [0.0625, '6%'],
    [1, '100%'],
  ])('should show a fraction of %d as %s', (share, text) => {
    expect(formatPercent(share)).toBe(text);
  });

  it('should format sizes, times and dates in French', async () => {
    await setLanguage('fr');
    expect([0, 1_536, 12 * 1024 ** 2, 1_500 * 1024].map(formatBytes)).toEqual([
      '0\u00a0o',
      '1,5\u00a0Ko',
      '12\u00a0Mo',
      '1,5\u00a0Mo',
    ]);
    expect(formatNumber(12_345)).toBe('12\u202f345');
    expect(formatDuration(7_200)).toBe('2\u202fh');
    for (const tags of [['en-GB'], ['en-GB', 'fr-FR']]) {
      vi.stubGlobal('navigator', { languages: tags });
      expect(formatShortDate('2025-11-14T12:00:00', new Date(2026, 0, 1))).toBe('14 nov. 2025');
    }
    vi.unstubAllGlobals();
    await setLanguage('en');
  });

  it('should show an invalid date unchanged', () => {
    expect([formatShortDate('yesterday-ish'), formatFullDate('')]).toEqual(['yesterday-ish', '']);
  });
});
