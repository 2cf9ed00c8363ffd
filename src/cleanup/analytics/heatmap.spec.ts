import { heatmapOf } from './heatmap.service';

describe('heatmapOf', () => {
  it.each([
    // A Monday in winter and in summer, the edges of a day, and zones off the full hour.
    ['2026-01-05T00:00:00Z', 'UTC', 0, 0],
    ['2026-01-04T23:59:59.999Z', 'UTC', 6, 23],
    ['2026-01-05T23:30:00Z', 'Europe/Paris', 1, 0],
    ['2026-07-06T12:00:00Z', 'Europe/Paris', 0, 14],
    ['2026-01-05T12:00:00Z', 'Europe/Paris', 0, 13],
    ['2026-01-05T18:40:00Z', 'Asia/Kolkata', 1, 0],
    ['2026-01-05T03:00:00Z', 'America/New_York', 6, 22],
    // The hour that occurs twice when summer time ends.
    ['2026-10-25T00:30:00Z', 'Europe/Paris', 6, 2],
    ['2026-10-25T01:30:00Z', 'Europe/Paris', 6, 2],
  ])('should count %s in %s on day %i at %i h', (instant, zone, day, hour) => {
    const cells = heatmapOf([Date.parse(instant)], zone);
    expect(cells.filter(({ count }) => count > 0)).toEqual([{ day, hour, count: 1 }]);
  });

  it('should have all cells in order, even without mail', () => {
    const cells = heatmapOf([], 'UTC');
    expect(cells).toHaveLength(168);
    expect(cells.map(({ day, hour }) => day * 24 + hour)).toEqual([...cells.keys()]);
    expect(cells.every(({ count }) => count === 0)).toBe(true);
  });

  it('should count every instant', () => {
    const instants = Array.from({ length: 500 }, (_, n) => Date.UTC(2026, 0, 1) + n * 5_000_000);
    const total = heatmapOf(instants, 'Australia/Lord_Howe').reduce((sum, { count }) => sum + count, 0);
    expect(total).toBe(500);
  });
});
