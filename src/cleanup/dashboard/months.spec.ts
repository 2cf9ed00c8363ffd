import { monthName, Months } from './months';

describe('Months', () => {
  it.each([
    ['UTC', '2025-11', '2025-11-01T00:00:00.000Z'],
    ['Europe/Paris', '2025-11', '2025-10-31T23:00:00.000Z'],
    ['Europe/Paris', '2025-08', '2025-07-31T22:00:00.000Z'],
    // A month on whose first day the clocks change.
    ['Europe/Paris', '2001-04', '2001-03-31T22:00:00.000Z'],
    ['America/New_York', '2026-11', '2026-11-01T04:00:00.000Z'],
    ['America/New_York', '2026-12', '2026-12-01T05:00:00.000Z'],
    ['Asia/Kathmandu', '2025-01', '2024-12-31T18:15:00.000Z'],
  ])('should begin in %s the month %s at %s', (timeZone, name, start) => {
    const sut = new Months(timeZone);
    const instant = new Date(start);
    const month = sut.monthOf(instant);
    expect(monthName(month)).toBe(name);
    expect(sut.startOf(month)).toEqual(instant);
    expect(sut.monthOf(new Date(instant.getTime() - 1))).toBe(month - 1);
  });
});
