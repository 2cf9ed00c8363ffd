import { summarize, UsageSum } from './usage-summary';

const now = new Date('2026-03-01T12:34:56.789Z');
const NONE = { unitsOfHour: 0, callsOfHour: 0 };
const ofEndpoint = (endpoint: string, units: number, calls: number): UsageSum => ({
  endpoint,
  hour: null,
  units,
  calls,
  ...NONE,
});
const ofHour = (hour: string, units: number, calls: number): UsageSum => ({
  endpoint: null,
  hour: new Date(hour),
  units,
  calls,
  ...NONE,
});

describe('summarize', () => {
  it('should be all zero without records', () => {
    const sut = summarize([], now);
    expect(sut).toMatchObject({
      lastHour: { units: 0, calls: 0 },
      lastDay: { units: 0, calls: 0 },
      endpoints: [],
    });
    expect(sut.hours).toHaveLength(24);
    expect(sut.hours.every(({ units, calls }) => units === 0 && calls === 0)).toBe(true);
  });

  it('should distinguish the whole from its parts', () => {
    const whole = { endpoint: null, hour: null, units: 90, calls: 18, unitsOfHour: 10, callsOfHour: 2 };
    const sut = summarize(
      [ofEndpoint('messages.get', 90, 18), ofHour('2026-03-01T12:00Z', 1, 1), whole],
      now,
    );
    expect(sut.lastDay).toEqual({ units: 90, calls: 18 });
    expect(sut.lastHour).toEqual({ units: 10, calls: 2 });
  });

  it('should order endpoints by units, then calls, then name', () => {
    const sut = summarize(
      [ofEndpoint('d', 5, 1), ofEndpoint('c', 5, 1), ofEndpoint('b', 5, 2), ofEndpoint('a', 50, 1)],
      now,
    );
    expect(sut.endpoints.map(({ endpoint }) => endpoint)).toEqual(['a', 'b', 'c', 'd']);
    expect(sut.endpoints[0]).toEqual({ endpoint: 'a', units: 50, calls: 1 });
  });

  it('should fill the clock hours up, oldest first, across midnight', () => {
    const { hours } = summarize(
      [
        ofHour('2026-03-01T12:00Z', 3, 1),
        ofHour('2026-02-28T13:00Z', 7, 2),
        // The day began in this hour, which is none of the last 24 of the clock.
        ofHour('2026-02-28T12:00Z', 9, 9),
      ],
      now,
    );
    expect(hours.map(({ hour }) => hour.getTime())).toEqual(
      Array.from({ length: 24 }, (_, index) => Date.parse('2026-02-28T13:00Z') + index * 3_600_000),
    );
    expect(hours[0]).toMatchObject({ units: 7, calls: 2 });
    expect(hours[23]).toMatchObject({ units: 3, calls: 1 });
    expect(hours.reduce((sum, { units }) => sum + units, 0)).toBe(10);
  });
});
