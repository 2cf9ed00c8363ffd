import { weekToReport } from './week';

describe('weekToReport', () => {
  it.each([
    // 2026-11-23 is a Monday.
    ['2026-11-23T08:00:00.000Z', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['2026-11-25T12:34:56.789Z', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['2026-11-29T23:59:59.999Z', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['2026-11-30T08:00:00.000Z', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    // Weeks across the turn of the year, and with a leap day.
    ['2027-01-01T09:00:00.000Z', '2026-12-21T00:00:00.000Z', '2026-12-28T00:00:00.000Z'],
    ['2028-03-06T08:00:00.000Z', '2028-02-28T00:00:00.000Z', '2028-03-06T00:00:00.000Z'],
  ])('should be, at %s, the week from %s to %s', (now, from, to) => {
    const week = weekToReport(new Date(now))!;
    expect([week.from.toISOString(), week.to.toISOString(), week.monday]).toEqual([
      from,
      to,
      from.slice(0, 10),
    ]);
  });

  it.each(['2026-11-23T00:00:00.000Z', '2026-11-23T07:59:59.999Z', '2026-11-30T00:00:00.000Z'])(
    'should be none at %s',
    (now) => expect(weekToReport(new Date(now))).toBeNull(),
  );
});
