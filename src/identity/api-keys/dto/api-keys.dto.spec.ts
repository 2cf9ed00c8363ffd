import { isExpiry } from './api-keys.dto';

const NOW = new Date('2026-05-04T09:30:00.000Z');

describe('isExpiry', () => {
  it.each([
    '2026-05-04T09:30:00.001Z',
    '2026-05-04T11:30:01+02:00',
    '2027-01-01T00:00:00Z',
    '2027-01-01T00:00Z',
    '2031-05-04T09:30:00.000Z',
  ])('should accept %s', (value) => expect(isExpiry(value, NOW)).toBe(true));

  it.each([
    ['now', '2026-05-04T09:30:00.000Z'],
    ['the past in another zone', '2026-05-04T11:30:00+02:00'],
    ['more than five years', '2031-05-04T09:30:00.001Z'],
    ['a day that does not exist', '2027-02-30T00:00:00Z'],
    ['a time without a zone', '2027-01-01T00:00:00'],
    ['a date', '2027-01-01'],
    ['seconds', 1_800_000_000],
    ['seconds as text', '1800000000'],
    ['words', 'tomorrow'],
    ['nothing', ''],
  ])('should refuse %s', (_name, value) => expect(isExpiry(value, NOW)).toBe(false));
});
