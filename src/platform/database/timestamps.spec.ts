import { isoTimestamp, parseTimestamp } from './timestamps';

const TIMESTAMPS = [
  ['2026-11-22 21:20:55.300814+00', '2026-11-22T21:20:55.300Z'],
  ['2026-11-22 21:20:55.3+00', '2026-11-22T21:20:55.300Z'],
  ['2026-11-22 21:20:55.30+00', '2026-11-22T21:20:55.300Z'],
  ['2026-11-22 21:20:55.308+00', '2026-11-22T21:20:55.308Z'],
  ['2026-11-22 21:20:55.0009+00', '2026-11-22T21:20:55.000Z'],
  ['2026-11-22 21:20:55+00', '2026-11-22T21:20:55.000Z'],
  ['2024-02-29 00:00:00+00', '2024-02-29T00:00:00.000Z'],
  ['0044-01-01 00:00:00+00', '0044-01-01T00:00:00.000Z'],
  ['1969-12-31 23:59:59.999+00', '1969-12-31T23:59:59.999Z'],
  ['2026-11-22 21:20:55.300814+02', '2026-11-22T19:20:55.300Z'],
  ['2026-11-22 21:20:55-03:30', '2026-11-23T00:50:55.000Z'],
  ['12026-11-22 21:20:55+00', '+012026-11-22T21:20:55.000Z'],
  ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
];

describe('parseTimestamp', () => {
  it.each(TIMESTAMPS)('should read %s as %s', (text, expected) => {
    expect(parseTimestamp(text).toISOString()).toBe(expected);
  });

  it.each([
    ['infinity', Infinity],
    ['-infinity', -Infinity],
  ])('should leave %s to the driver', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });
});

describe('isoTimestamp', () => {
  it.each(TIMESTAMPS)('should write %s as %s', (text, expected) => {
    expect(isoTimestamp(text)).toBe(expected);
  });
});
