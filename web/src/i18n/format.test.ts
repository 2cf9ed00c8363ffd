import { describe, expect, it, vi } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatFullDate,
  formatHour,
  formatPercent,
  formatShortDate,
  formatWeekday,
} from './format';

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
    // The page has no words of this language.
    ['fr-FR', 'Nov 14, 2025', '4:50 PM'],
  ])('should show dates as people in %s write them', (tag, day, time) => {
    vi.stubGlobal('navigator', { languages: [tag] });
    const now = new Date(2026, 0, 1);
    expect(formatShortDate('2025-11-14T12:00:00', now)).toBe(day);
    expect(formatShortDate('2026-01-01T16:50:00', now).replace(/\s/g, ' ')).toBe(time);
    vi.unstubAllGlobals();
  });

  it.each([
    ['en-GB', 'Mon', '09'],
    ['en-US', 'Mon', '9 AM'],
  ])('should show days and hours as people in %s name them', (tag, day, hour) => {
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
  ])('should show a share of %d as %s', (share, text) => {
    expect(formatPercent(share)).toBe(text);
  });

  it('should show what is no date as it was written', () => {
    expect([formatShortDate('yesterday-ish'), formatFullDate('')]).toEqual(['yesterday-ish', '']);
  });
});
